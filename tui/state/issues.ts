import type { JsonObject } from "../../src/base/json.ts";
import {
  derivedOf,
  type GraphIssue,
  type IssueGraph,
  isReady,
} from "../../src/domain/readiness.ts";

/** An issue as lists show it: what the daemon's answers say, and nothing that a row does not need. */
export interface Issue extends GraphIssue {
  readonly uid: string;
  readonly short_id: string;
  readonly qualified_id: string;
  readonly project_id: number;
  readonly project_name: string;
  readonly title: string;
  readonly body: string;
  readonly author: string;
  readonly owner: string | undefined;
  readonly priority: number | undefined;
  readonly labels: readonly string[];
  readonly parent: string | undefined;
  readonly blocked_by: readonly string[];
  readonly blocks: readonly string[];
  /** As the daemon says; counts blockers of projects that are not loaded here. */
  readonly blocked: boolean;
  readonly child_counts: { readonly open: number; readonly total: number };
  readonly revision: number;
  readonly created_at: string;
  readonly updated_at: string;
  readonly closed_at: string | undefined;
}

export type Issues = ReadonlyMap<string, Issue>;

/** The part of an answer's issue that is kept; `LinkPeer` and the rest of the contract have more. */
export interface WireIssue {
  readonly uid: string;
  readonly short_id: string;
  readonly qualified_id: string;
  readonly project_id: number;
  readonly project_uid?: string | undefined;
  readonly title: string;
  readonly body: string;
  readonly status: "open" | "closed";
  readonly author: string;
  readonly owner?: string | undefined;
  readonly priority?: number | undefined;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly labels: readonly string[];
  readonly parent?: { readonly uid: string } | undefined;
  readonly blocks: readonly { readonly uid: string }[];
  readonly blocked_by: readonly { readonly uid: string }[];
  readonly blocked: boolean;
  readonly child_counts: { readonly open: number; readonly total: number };
  readonly revision: number;
  readonly created_at: string;
  readonly updated_at: string;
  readonly closed_at?: string | undefined;
  readonly deleted_at?: string | undefined;
}

export function issueOf(wire: WireIssue): Issue {
  const [project_name = ""] = wire.qualified_id.split("#");
  return {
    uid: wire.uid,
    short_id: wire.short_id,
    qualified_id: wire.qualified_id,
    project_id: wire.project_id,
    project_uid: wire.project_uid ?? "",
    project_name,
    title: wire.title,
    body: wire.body,
    status: wire.status,
    author: wire.author,
    owner: wire.owner,
    priority: wire.priority,
    // The answer was JSON.
    metadata: wire.metadata as JsonObject,
    labels: wire.labels,
    parent: wire.parent?.uid,
    blocks: wire.blocks.map(({ uid }) => uid),
    blocked_by: wire.blocked_by.map(({ uid }) => uid),
    blocked: wire.blocked,
    child_counts: { open: wire.child_counts.open, total: wire.child_counts.total },
    revision: wire.revision,
    created_at: wire.created_at,
    updated_at: wire.updated_at,
    closed_at: wire.closed_at,
    deleted_at: wire.deleted_at ?? null,
    // The zone of a series is known to the daemon only.
    recurrence_uid: null,
  };
}

/** The issues with some of them new or changed; an older revision of one never replaces a newer. */
export function withIssues(issues: Issues, changed: Iterable<Issue>): Issues {
  const next = new Map(issues);
  for (const issue of changed) {
    const known = next.get(issue.uid);
    if (known === undefined || issue.revision >= known.revision) next.set(issue.uid, issue);
  }
  return next;
}

export function withoutIssues(issues: Issues, uids: Iterable<string>): Issues {
  const next = new Map(issues);
  for (const uid of uids) next.delete(uid);
  return next;
}

/** What is read off all issues together, once for each change of them. */
export interface Relations {
  readonly childrenOf: ReadonlyMap<string, readonly Issue[]>;
  isBlocked(issue: Issue): boolean;
  isReady(issue: Issue, now: string): boolean;
}

const known = new WeakMap<Issues, Relations>();

export function relationsOf(issues: Issues): Relations {
  const found = known.get(issues);
  if (found !== undefined) return found;
  const made = relate(issues);
  known.set(issues, made);
  return made;
}

function relate(issues: Issues): Relations {
  const childrenOf = new Map<string, Issue[]>();
  for (const issue of issues.values()) {
    if (issue.parent === undefined) continue;
    const siblings = childrenOf.get(issue.parent);
    if (siblings === undefined) childrenOf.set(issue.parent, [issue]);
    else siblings.push(issue);
  }
  // Readiness asks for an issue's links several times, and for its ancestors' from each of their children.
  const linksByUid = new Map<string, readonly Link[]>();
  const graph: IssueGraph = {
    issue: (uid) => issues.get(uid),
    project: () => ({ deleted_at: null }),
    recurrence: () => undefined,
    linksOf: (uid) => {
      let links = linksByUid.get(uid);
      if (links === undefined) linksByUid.set(uid, (links = linksAt(issues, childrenOf, uid)));
      return links;
    },
  };
  const isBlocked = (issue: Issue): boolean => {
    if (issue.status !== "open") return false;
    const blockers = issue.blocked_by.map((uid) => issues.get(uid));
    if (blockers.some((blocker) => blocker?.status === "open")) return true;
    return issue.blocked && blockers.includes(undefined);
  };
  return {
    childrenOf,
    isBlocked,
    isReady: (issue, now) => {
      if (issue.status !== "open" || isBlocked(issue)) return false;
      return isReady(derivedOf(graph, issue, LOCAL_ZONE), now, false);
    },
  };
}

type Link = ReturnType<IssueGraph["linksOf"]>[number];

function linksAt(
  issues: Issues,
  childrenOf: Relations["childrenOf"],
  uid: string,
): readonly Link[] {
  const issue = issues.get(uid);
  if (issue === undefined) return [];
  const { parent, blocked_by } = issue;
  const links: Link[] = blocked_by.map((from_uid) => ({ from_uid, to_uid: uid, type: "blocks" }));
  if (parent !== undefined) links.push({ from_uid: uid, to_uid: parent, type: "parent" });
  for (const child of childrenOf.get(uid) ?? [])
    links.push({ from_uid: child.uid, to_uid: uid, type: "parent" });
  return links;
}

/** Dates without a zone of their own are read in the daemon's, which for a local daemon is this machine's. */
const LOCAL_ZONE = new Intl.DateTimeFormat().resolvedOptions().timeZone;

/** `o` open, `b` open and blocked, `x` closed. */
export function letterOf(issues: Issues, issue: Issue): "o" | "b" | "x" {
  if (issue.status === "closed") return "x";
  return relationsOf(issues).isBlocked(issue) ? "b" : "o";
}
