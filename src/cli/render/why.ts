import type { Output } from "../../contract/route.ts";
import type { WhyCause, WhyReason, whyIssue } from "../../contract/search.ts";
import { agentOutput, header, row } from "../../shared/agent.ts";
import { projectOf } from "../../shared/ref.ts";
import { oneLine } from "../../shared/text.ts";
import type { View } from "../output/output.ts";
import type { Paint, Style } from "./palette.ts";
import { shortTime } from "./show.ts";

type Why = Output<typeof whyIssue>;
type WhyIssue = Why["issue"];

export const whyView: View<Why> = {
  human: ({ issue, ready, reasons, circle }, style) => {
    const home = projectOf(issue.qualified_id);
    const name = issueText(issue, home, style.paint);
    if (ready) return `${name}\nready: nothing stands in its way`;
    const why = reasons.flatMap((reason) => humanReason(reason, "  ", home, style));
    return [name, ...why, ...(circle === undefined ? [] : humanCircle(circle, home))].join("\n");
  },
  agent: ({ issue, ready, reasons, circle }, quiet) => {
    const home = projectOf(issue.qualified_id);
    const fields = {
      issue: issue.short_id,
      ready,
      ...(ready ? {} : { reasons: reasons.map(({ reason }) => reason) }),
      ...(circle === undefined ? {} : { circle: circle.issues.map((one) => refOf(one, home)) }),
    };
    return agentOutput(header("why", fields), agentReasons(issue, reasons, home), quiet);
  },
  refs: ({ issue, reasons }) => [issue, ...causesOf(reasons)],
};

/** Returns all issues that the reasons name. Each of them is followed by the issues that hold it back in turn. */
function causesOf(reasons: readonly WhyReason[]): readonly WhyIssue[] {
  return reasons.flatMap(({ blockers = [], children = [], parent }) => [
    ...[...blockers, ...(parent === undefined ? [] : [parent])].flatMap(({ issue, because }) => [
      issue,
      ...causesOf(because),
    ]),
    ...children,
  ]);
}

/** The maximum number of issues of a circle that the text for people names; --json names all. */
const MAX_NAMED = 20;

type WhyCircle = NonNullable<Why["circle"]>;

/** Names the issues that wait for each other, and the command that removes one link of their circle. */
function humanCircle(circle: WhyCircle, home: string): readonly string[] {
  const refs = circle.issues.map((issue) => refOf(issue, home));
  const ref = (uid: string): string => {
    const issue = circle.issues.find((one) => one.uid === uid);
    return issue === undefined ? uid : refOf(issue, home);
  };
  const shown =
    refs.length <= MAX_NAMED
      ? refs
      : [...refs.slice(0, MAX_NAMED - 1), `${refs.length - MAX_NAMED + 1} more`];
  const cure = `svc unblock ${ref(circle.blocker_uid)} ${ref(circle.blocked_uid)}`;
  return [
    `in a circle, so that none of these becomes ready: ${[...shown, refs[0]].join(" waits for ")}`,
    `remove a link of it, such as by: ${cure}`,
  ];
}

function issueText(issue: WhyIssue, home: string, paint: Paint): string {
  const owner = issue.owner === undefined ? "" : ` ${paint("faint", `(${oneLine(issue.owner)})`)}`;
  return `${paint("id", refOf(issue, home))} ${oneLine(issue.title)}${owner}`;
}

function refOf(issue: WhyIssue, home: string): string {
  return oneLine(projectOf(issue.qualified_id) === home ? issue.short_id : issue.qualified_id);
}

function humanReason(
  reason: WhyReason,
  indent: string,
  home: string,
  style: Style,
): readonly string[] {
  const { paint } = style;
  const causeLines = (word: string, { issue, because }: WhyCause): readonly string[] => [
    `${indent}${word} ${issueText(issue, home, paint)}`,
    ...because.flatMap((next) => humanReason(next, `${indent}  `, home, style)),
  ];
  switch (reason.reason) {
    case "blocked":
      return (reason.blockers ?? []).flatMap((blocker) =>
        causeLines(paint("blocked", "blocked by"), blocker),
      );
    case "held":
      return reason.parent === undefined
        ? []
        : causeLines("held up with its parent", reason.parent);
    case "open_children":
      return [
        `${indent}has open children; the work is in them`,
        ...(reason.children ?? []).map((child) => `${indent}  ${issueText(child, home, paint)}`),
      ];
    case "scheduled":
      return [
        `${indent}planned for ${reason.until === undefined ? "later" : shortTime(reason.until)}`,
      ];
    case "parked":
      return [
        reason.by_source === undefined
          ? `${indent}parked: its metadata someday is true`
          : `${indent}parked: its metadata someday is true, as ${bySource(reason.by_source)}`,
      ];
    case "closed":
      return [`${indent}closed`];
    default:
      return [`${indent}${oneLine(reason.reason)}`];
  }
}

/** Turns `beads: status hooked` into words: `beads says: status hooked`. */
function bySource(text: string): string {
  return oneLine(text.replace(": ", " says: "));
}

/**
 * One row for each reason and each issue that causes it. Each row also names the issue that is held back, so that a
 * program can rebuild the chain.
 */
function agentReasons(
  issue: WhyIssue,
  reasons: readonly WhyReason[],
  home: string,
): readonly string[] {
  return reasons.flatMap(({ reason, blockers = [], until, by_source, children = [], parent }) => {
    const of = refOf(issue, home);
    const causes = parent === undefined ? blockers : [...blockers, parent];
    const direct =
      causes.length + children.length === 0
        ? [row({ issue: of, reason, until, by_source })]
        : [...causes.map((cause) => cause.issue), ...children].map((by) =>
            row({ issue: of, reason, by: refOf(by, home), owner: by.owner, title: by.title }),
          );
    return [
      ...direct,
      ...causes.flatMap((cause) => agentReasons(cause.issue, cause.because, home)),
    ];
  });
}
