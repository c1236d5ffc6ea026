import type { Instant } from "../../base/clock.ts";
import { shellWord } from "../../base/shell-word.ts";
import { isUlid } from "../../base/ulid.ts";
import { keyFor } from "../keymap.ts";
import type { State } from "../state.ts";
import { timePhrase } from "../times.ts";
import { deletedSentence } from "./deleted.ts";
import type { IssueView } from "./shown.ts";
import type { Candidate, GoneIssue } from "./state.ts";

/** Why a requested issue cannot be shown: the short reason in `why`, and more in `lines`. */
export interface UnavailableIssue {
  readonly why: string;
  /** What became of the issue, and what the person can do. */
  readonly lines: readonly string[];
  /** The issues that the requested name may mean. */
  readonly candidates: readonly Candidate[];
}

/**
 * Why the issue `asked` cannot be shown; `undefined` if it can, or while it is being looked up. `asked` is a uid, or
 * the name by which the page's address names the issue.
 */
export function unavailableIssue(state: State, asked: string): UnavailableIssue | undefined {
  const { error, missing = false, gone, candidates = [] } = state.detail.known.get(asked) ?? {};
  if (error === undefined) return undefined;
  if (!missing) return { why: "The issue cannot be read", lines: [error], candidates };
  if (candidates.length > 0) {
    const lines = ["A short id belongs to one project. Choose the issue that is meant:"];
    return { why: `${candidates.length} issues are called ${asked}`, lines, candidates };
  }
  if (gone !== undefined) return { ...goneSaid(state, gone), candidates };
  if (!isUlid(asked)) return { ...noName(state, asked), candidates };
  return {
    why: "There is no such issue",
    lines: [
      "The address is that of another daemon, or the issue was purged with its project.",
      asked,
    ],
    candidates,
  };
}

/** A sentence that says when the issue was deleted, by whom (if its events have been read), and how to restore it. */
export function deletedText(state: State, { issue, detail }: IssueView, at: Instant): string {
  const deleted = deletedSentence(state, detail?.events, at);
  const restore = `${keyFor(state, "palette")}restore ${issue.qualified_id}`;
  return `${deleted} Its text stays readable; ${restore} brings it back.`;
}

function goneSaid(
  state: State,
  { is, qualified_id, project, at, by }: GoneIssue,
): Pick<UnavailableIssue, "why" | "lines"> {
  const when = timePhrase(state, at);
  if (is === "archived")
    return {
      why: `${qualified_id} is in an archived project`,
      lines: [
        `The project ${project} was archived ${when}.`,
        `svc projects restore ${shellWord(project)} brings it back with its issues.`,
      ],
    };
  const whom = by === undefined ? "" : ` by ${by}`;
  return {
    why: `${qualified_id} was purged`,
    lines: [`It was erased${whom} ${when}, with its comments and links. Nothing brings it back.`],
  };
}

function noName({ scope }: State, asked: string): Pick<UnavailableIssue, "why" | "lines"> {
  const project = scope.project?.name;
  const isQualified = asked.lastIndexOf("#") > 0;
  const where = isQualified || project === undefined ? "" : ` in ${project}`;
  const other = isQualified
    ? "The project or the issue has another name by now, or the address is that of another daemon."
    : "A short id belongs to one project: project#abc4 names an issue from everywhere.";
  return { why: `No issue is called ${asked}${where}`, lines: [other] };
}
