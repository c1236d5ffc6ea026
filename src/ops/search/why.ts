import type { whyIssue as contract, WhyCause, WhyReason } from "../../contract/search.ts";
import { type Cause, type Reason, whyNotReady } from "../../domain/readiness.ts";
import type { IssueOutline } from "../../store/types/issues.ts";
import type { ReadOp } from "../deps.ts";
import { requireIssue } from "../find.ts";
import { linkPeer } from "../out/issues.ts";
import { type FoundCircle, findCircle } from "./circle.ts";
import { loadWhyGraph } from "./why-graph.ts";

/**
 * Returns every reason why an issue is not ready. A blocker, or a parent that holds the issue back, is returned with
 * its own reasons (docs/contract/http-api.md#62-readiness). An open issue without a reason is in the ready list.
 */
export const whyIssue: ReadOp<typeof contract, "store" | "clock" | "settings"> = async (
  deps,
  _who,
  { params },
) =>
  await deps.store.read(async (reader) => {
    const { issue } = await requireIssue(reader, params);
    const shown = referenceOf(issue);
    if (issue.status === "closed") {
      return { issue: shown, ready: false, reasons: [{ reason: "closed" as const }] };
    }
    const { graph, issues } = await loadWhyGraph(reader, issue);
    const found = whyNotReady(graph, issue, deps.clock.now(), deps.settings.timezone);
    const reasons = found.map((reason) => reasonOut(reason, issues));
    const explained = { issue: shown, ready: reasons.length === 0, reasons };
    const circle = found.some(({ reason }) => WAITING.has(reason))
      ? await findCircle(reader, issue)
      : undefined;
    return circle === undefined ? explained : { ...explained, circle: circleOut(circle) };
  });

/** The reasons that mean that the issue waits for other issues. */
const WAITING: ReadonlySet<Reason["reason"]> = new Set(["blocked", "open_children", "held"]);

function circleOut({ uids, link, issues }: FoundCircle) {
  const referenceFor = (uid: string) => {
    const issue = issues.get(uid);
    return issue === undefined ? [] : [referenceOf(issue)];
  };
  return {
    issues: uids.flatMap(referenceFor),
    blocker_uid: link.blocker,
    blocked_uid: link.blocked,
  };
}

type ByUid = ReadonlyMap<string, IssueOutline>;

function reasonOut(reason: Reason, issues: ByUid): WhyReason {
  switch (reason.reason) {
    case "blocked":
      return { reason: "blocked", blockers: reason.blockers.flatMap((by) => causeOut(by, issues)) };
    case "parked":
      return reason;
    case "scheduled":
      return { reason: "scheduled", until: reason.until };
    case "open_children":
      return {
        reason: "open_children",
        children: reason.children.flatMap((uid) => {
          const child = issues.get(uid);
          return child === undefined ? [] : [referenceOf(child)];
        }),
      };
    case "held": {
      const [parent] = causeOut(reason.parent, issues);
      return { reason: "held", ...(parent === undefined ? {} : { parent }) };
    }
  }
}

function causeOut({ uid, because }: Cause, issues: ByUid): readonly WhyCause[] {
  const issue = issues.get(uid);
  if (issue === undefined) return [];
  return [
    { issue: referenceOf(issue), because: because.map((reason) => reasonOut(reason, issues)) },
  ];
}

function referenceOf(issue: IssueOutline) {
  return {
    ...linkPeer(issue),
    title: issue.title,
    status: issue.status,
    ...(issue.owner === null ? {} : { owner: issue.owner }),
  };
}
