import type { JsonObject } from "../../base/json.ts";
import type { listIssues } from "../../contract/issues.ts";
import type { Output } from "../../contract/route.ts";
import type { GraphIssue } from "../../domain/readiness.ts";

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
  /** Whether the daemon reports the issue as blocked; blockers in projects that are not loaded here count too. */
  readonly blocked: boolean;
  readonly child_counts: { readonly open: number; readonly total: number };
  readonly revision: number;
  readonly created_at: string;
  readonly updated_at: string;
  readonly closed_at: string | undefined;
  /** The issue on a code host from which this issue is read. The code host owns some fields of this issue. */
  readonly synced?: WireIssue["synced"];
  /** The connector whose record owns title and body of this issue here. */
  readonly external_root?: WireIssue["external_root"];
}

export type WireIssue = Output<typeof listIssues>["issues"][number];

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
    // The cast is safe: the daemon's answer was JSON.
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
    ...(wire.synced === undefined ? {} : { synced: wire.synced }),
    ...(wire.external_root === undefined ? {} : { external_root: wire.external_root }),
    deleted_at: wire.deleted_at ?? null,
    // Readiness needs `recurrence_uid` only to find the time zone of the series. It is null here, because series are
    // not loaded.
    recurrence_uid: null,
  };
}

/**
 * The state of an issue for planning. An open issue is
 *
 * - `blocked` if another issue blocks it
 * - `waiting` if it waits for its day or for its children, or if it is parked
 * - `ready` otherwise
 */
export type Standing = "closed" | "blocked" | "ready" | "waiting";

/** The number of maps in an `Issues` table. A change of one issue copies only one map and the list of maps. */
const PARTS = 256;

type Part = ReadonlyMap<string, Issue>;

/** An immutable table of issues by uid. A changed copy shares the unchanged parts with this one. */
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

/**
 * The number of the part that contains an issue. The last letters of a ULID are random, so the parts have similar
 * sizes.
 */
function partOf(uid: string): number {
  const { length } = uid;
  return (uid.charCodeAt(length - 1) * 32 + uid.charCodeAt(length - 2)) % PARTS;
}

const NONE: ReadonlyMap<string, Issue> = new Map();
export const NO_ISSUES = new Issues(new Array<Part>(PARTS).fill(NONE));

/**
 * Whether `issue` is an older version than `than`. Times are compared too, because some changes keep the revision,
 * while every change sets a later `updated_at`.
 */
export function isOlder(
  issue: Pick<Issue, "revision" | "updated_at">,
  than: Pick<Issue, "revision" | "updated_at">,
): boolean {
  return issue.revision < than.revision || issue.updated_at < than.updated_at;
}

/** A copy with some issues added or replaced; a newer version is never replaced by an older one. */
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

/** Returns a changed copy of the table. Only the parts that `edit` asks for are copied. */
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

/**
 * The issues in which two tables differ. `gone` contains removed issues and the old versions of changed issues. `come`
 * contains added issues and the new versions of changed issues.
 */
export interface Differences {
  readonly gone: readonly Issue[];
  readonly come: readonly Issue[];
}

/**
 * Finds the issues in which two tables differ. This takes time in proportion to the number of differences, because
 * parts that both tables share are skipped.
 */
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
