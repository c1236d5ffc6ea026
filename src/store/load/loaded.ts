import { linkKey } from "../../domain/federation/link-borders.ts";
import type { FoldOrder, Place } from "../../domain/order.ts";
import type {
  AuthoredRows,
  CommentRow,
  IssueRow,
  LabelRow,
  LinkEnds,
  LinkRow,
  LinkType,
  ListedTable,
  LoadedTable,
  ProjectRow,
  RecurrenceRow,
  State,
} from "../../domain/state.ts";
import {
  FOLDED,
  type FoldedTable,
  type Key,
  type OneKeyTable,
  type Rows,
  TABLES,
} from "../../domain/tables/tables.ts";
import { keyText } from "../rows/insertion.ts";
import type { Derived } from "../types/rows.ts";
import { FreeShortIds } from "./free-short-ids.ts";

export interface LoadedIssue {
  readonly row: IssueRow;
  readonly derived: Derived;
}

/** `links` holds the outgoing blocking and parent links, by type and other end. */
export interface AttachedRows {
  readonly links: Map<string, LinkEnds>;
  readonly children: Set<string>;
  readonly labels: Set<string>;
}

type OneKey = Exclude<OneKeyTable, "issue">;

type RowMaps = { readonly [T in OneKey]: Map<string, Rows[T] | undefined> };
type ListMaps = { readonly [T in ListedTable]: Map<string, readonly Rows[T][]> };

const ONE_KEY = FOLDED.filter((table) => table !== "issue" && TABLES[table].key.length === 1);

function emptyMaps<M>(tables: readonly FoldedTable[]): M {
  return Object.fromEntries(tables.map((table) => [table, new Map()])) as M;
}

/**
 * A cache of the rows that the current batch has read or written. The fold, which writes these rows, keeps the cache
 * current. A rollback or a purge clears it.
 */
export class Loaded implements State {
  /** Whether the database may have waiting links. Most databases have none, and then no query looks for them. */
  hasWaitingLinks: boolean;
  readonly rows: RowMaps = emptyMaps(ONE_KEY);
  readonly issues = new Map<string, LoadedIssue | undefined>();
  readonly labels = new Map<string, LabelRow | undefined>();
  readonly links = new Map<string, LinkRow | undefined>();
  readonly parents = new Map<string, LinkRow | undefined>();
  /** By the uid of each issue: the waiting links with an end at this issue, by the key of the link. */
  readonly waiting = new Map<string, Map<string, LinkRow>>();
  /** The waiting parent links, by the uid of the child. */
  readonly waitingParentByChild = new Map<string, LinkRow>();
  /** By uid: whether the missing issue was purged. */
  readonly purged = new Map<string, boolean>();
  /** The rows of each project: by table, then by the project's uid. */
  readonly lists: ListMaps = emptyMaps(FOLDED);
  readonly projectIssues = new Map<string, readonly string[]>();
  readonly named = new Map<string, AuthoredRows>();
  readonly attached = new Map<string, AttachedRows>();
  allWaitingParents: readonly LinkRow[] = [];
  /**
   * The order of the fold, which contains the baselines of the log. Undefined until needed, and after a baseline is
   * added.
   */
  order: FoldOrder | undefined;
  /** For each project of which there is a copy here: the origin of its hub. Undefined until it is needed. */
  hubs: ReadonlyMap<string, string> | undefined;
  /** The links that lead out of the projects of a hub and that events of this daemon have set, by `linkKey`. */
  readonly madeHere = new Set<string>();
  /** The short ids that this batch has found to be free, and that no issue has got since. */
  readonly free = new FreeShortIds();

  constructor(hasWaitingLinks = true) {
    this.hasWaitingLinks = hasWaitingLinks;
  }

  project(uid: string): ProjectRow | undefined {
    return this.rows.project.get(uid);
  }

  issue(uid: string): IssueRow | undefined {
    return this.issues.get(uid)?.row;
  }

  comment(uid: string): CommentRow | undefined {
    return this.rows.comment.get(uid);
  }

  label(issueUid: string, label: string): LabelRow | undefined {
    return this.labels.get(keyOf(issueUid, label));
  }

  link(fromUid: string, toUid: string, type: LinkType): LinkRow | undefined {
    const known = this.links.get(keyOf(fromUid, type, toUid));
    if (known !== undefined || type !== "parent") return known;
    const parent = this.parents.get(fromUid);
    return parent?.to_uid === toUid ? parent : undefined;
  }

  parentLink(childUid: string): LinkRow | undefined {
    return this.parents.get(childUid);
  }

  waitingLink(fromUid: string, toUid: string, type: LinkType): LinkRow | undefined {
    const key = keyOf(fromUid, type, toUid);
    return this.waiting.get(fromUid)?.get(key) ?? this.waiting.get(toUid)?.get(key);
  }

  waitingLinksOf(issueUid: string): readonly LinkRow[] {
    return [...(this.waiting.get(issueUid)?.values() ?? [])];
  }

  waitingParent(childUid: string): LinkRow | undefined {
    return this.waitingParentByChild.get(childUid);
  }

  waitingParents(): readonly LinkRow[] {
    return this.allWaitingParents;
  }

  isPurged(issueUid: string): boolean {
    return this.purged.get(issueUid) ?? false;
  }

  isFederatedBefore(projectUid: string, event: Place): boolean {
    return this.order?.isFederatedBefore(projectUid, event) ?? false;
  }

  hubOf(projectUid: string): string | undefined {
    return this.hubs?.get(projectUid);
  }

  isMadeHere(ends: LinkEnds): boolean {
    return this.madeHere.has(linkKey(ends));
  }

  /**
   * Always false here: issues of other daemons' events with the same mapping are folded again later
   * (`admit/shared-keys.ts`).
   */
  isMappedBefore(): boolean {
    return false;
  }

  recurrence(uid: string): RecurrenceRow | undefined {
    return this.rows.recurrence.get(uid);
  }

  row<T extends LoadedTable>(table: T, key: string): Rows[T] | undefined {
    return this.rows[table].get(key);
  }

  of<T extends ListedTable>(table: T, projectUid: string): readonly Rows[T][] {
    return this.lists[table].get(projectUid) ?? [];
  }

  issuesOf(projectUid: string): readonly IssueRow[] {
    return (this.projectIssues.get(projectUid) ?? []).flatMap((uid) => this.issue(uid) ?? []);
  }

  authored(projectUid: string, name: string): AuthoredRows {
    return this.named.get(keyOf(projectUid, name)) ?? NOBODYS;
  }

  /** Records that a link is waiting (`row`), or that it no longer is (`undefined`). */
  noteWaiting(ends: LinkEnds, row: LinkRow | undefined): void {
    const key = keyOf(ends.from_uid, ends.type, ends.to_uid);
    this.hasWaitingLinks ||= row !== undefined;
    for (const uid of [ends.from_uid, ends.to_uid]) {
      if (row === undefined) this.waiting.get(uid)?.delete(key);
      else this.waiting.get(uid)?.set(key, row);
    }
    if (ends.type !== "parent") return;
    if (row !== undefined) this.waitingParentByChild.set(ends.from_uid, row);
    else if (this.waitingParentByChild.get(ends.from_uid)?.to_uid === ends.to_uid)
      this.waitingParentByChild.delete(ends.from_uid);
  }

  /** Records the new value of a row, `undefined` after a delete. Ignores tables with several key columns. */
  note<T extends FoldedTable>(table: T, key: Key<T>, after: Rows[T] | undefined): void {
    const maps: { readonly [T in FoldedTable]?: Map<string, unknown> } = this.rows;
    maps[table]?.set(keyText(TABLES[table].key, key), after);
  }

  clear(): void {
    const { rows, issues, labels, links, parents, waiting, purged } = this;
    const { lists, projectIssues, named, attached } = this;
    this.free.clear();
    for (const map of [...Object.values(rows), ...Object.values(lists)]) map.clear();
    for (const map of [issues, labels, links, parents, waiting, purged]) map.clear();
    for (const map of [projectIssues, named, attached]) map.clear();
    this.waitingParentByChild.clear();
    this.allWaitingParents = [];
    this.order = undefined;
    this.hubs = undefined;
    this.madeHere.clear();
  }
}

const NOBODYS: AuthoredRows = { issues: [], comments: [], links: [], waitingLinks: [] };

/** Joins the parts of a key with spaces. Uids and link types contain no spaces, and free text comes last. */
export function keyOf(uid: string, second: string, third?: string): string {
  return third === undefined ? `${uid} ${second}` : `${uid} ${second} ${third}`;
}
