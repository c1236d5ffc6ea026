import type { JsonObject } from "../../base/json.ts";
import type { GraphIssue } from "../../domain/readiness.ts";

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
  readonly related: readonly string[];
  /** As the daemon says; counts blockers of projects that are not loaded here. */
  readonly blocked: boolean;
  readonly child_counts: { readonly open: number; readonly total: number };
  readonly revision: number;
  readonly created_at: string;
  readonly updated_at: string;
  readonly closed_at: string | undefined;
}

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
  readonly related: readonly { readonly uid: string }[];
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
    related: wire.related.map(({ uid }) => uid),
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

/**
 * What becomes of an issue among all others: an open one is ready to be worked on, blocked by another, or waiting: for
 * its day, for its children, or for somebody to take it out of the park.
 */
export type Standing = "closed" | "blocked" | "ready" | "waiting";

/** So many small maps make a table: few enough to copy the list of them, many enough that each is quickly copied. */
const PARTS = 256;

type Part = ReadonlyMap<string, Issue>;

/** Issues by uid. Never changed: a change gives another table, which shares with this one what stayed. */
export class Issues {
  readonly parts: readonly Part[];
  readonly size: number;

  constructor(parts: readonly Part[]) {
    this.parts = parts;
    this.size = parts.reduce((sum, { size }) => sum + size, 0);
  }

  get(uid: string): Issue | undefined {
    return this.parts[partOf(uid)]?.get(uid);
  }

  has(uid: string): boolean {
    return this.get(uid) !== undefined;
  }

  *keys(): Iterable<string> {
    for (const part of this.parts) yield* part.keys();
  }

  *values(): Iterable<Issue> {
    for (const part of this.parts) yield* part.values();
  }
}

/** A ULID ends in chance, so its last letters spread the issues evenly. */
function partOf(uid: string): number {
  const { length } = uid;
  return (uid.charCodeAt(length - 1) * 32 + uid.charCodeAt(length - 2)) % PARTS;
}

const NONE: ReadonlyMap<string, Issue> = new Map();
export const NO_ISSUES = new Issues(new Array<Part>(PARTS).fill(NONE));

/** Not every change has a revision of its own, but each is later than the one before. */
export function isOlder(
  issue: Pick<Issue, "revision" | "updated_at">,
  than: Pick<Issue, "revision" | "updated_at">,
): boolean {
  return issue.revision < than.revision || issue.updated_at < than.updated_at;
}

/** The issues with some of them new or changed; an older picture of one never replaces a newer. */
export function withIssues(issues: Issues, changed: Iterable<Issue>): Issues {
  return edited(issues, (part) => {
    for (const issue of changed) {
      const mine = part(issue.uid);
      const known = mine.get(issue.uid);
      if (known === undefined || !isOlder(issue, known)) mine.set(issue.uid, issue);
    }
  });
}

export function withoutIssues(issues: Issues, uids: Iterable<string>): Issues {
  return edited(issues, (part) => {
    for (const uid of uids) if (issues.has(uid)) part(uid).delete(uid);
  });
}

/** Another table, of which only the parts are copied that the edit asks for. */
function edited(issues: Issues, edit: (part: (uid: string) => Map<string, Issue>) => void): Issues {
  const parts = [...issues.parts];
  const copies = new Map<number, Map<string, Issue>>();
  edit((uid) => {
    const at = partOf(uid);
    let copy = copies.get(at);
    if (copy === undefined) {
      copy = new Map(parts[at]);
      copies.set(at, copy);
      parts[at] = copy;
    }
    return copy;
  });
  return copies.size === 0 ? issues : new Issues(parts);
}

/** What one table has and another has not; an issue that changed is in both lists, as it was and as it is. */
export interface Differences {
  readonly gone: readonly Issue[];
  readonly come: readonly Issue[];
}

/** Takes as long as there are differences, since equal parts are shared. */
export function differences(from: Issues, to: Issues): Differences {
  const gone: Issue[] = [];
  const come: Issue[] = [];
  for (let at = 0; at < PARTS; at += 1) {
    const [old = NONE, now = NONE] = [from.parts[at], to.parts[at]];
    if (old === now) continue;
    for (const issue of old.values()) if (now.get(issue.uid) !== issue) gone.push(issue);
    for (const issue of now.values()) if (old.get(issue.uid) !== issue) come.push(issue);
  }
  return { gone, come };
}
