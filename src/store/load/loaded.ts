import type {
  Authored,
  CommentRow,
  IssueRow,
  LabelRow,
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

export type Ends = Pick<LinkRow, "from_uid" | "to_uid" | "type">;

/** `links` holds the outgoing blocking and parent links, by type and other end. */
export interface Attached {
  readonly links: Map<string, Ends>;
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
  readonly rows: RowMaps = emptyMaps(ONE_KEY);
  readonly issues = new Map<string, LoadedIssue | undefined>();
  readonly labels = new Map<string, LabelRow | undefined>();
  readonly links = new Map<string, LinkRow | undefined>();
  readonly parents = new Map<string, LinkRow | undefined>();
  /** The rows of each project: by table, then by the project's uid. */
  readonly lists: ListMaps = emptyMaps(FOLDED);
  readonly projectIssues = new Map<string, readonly string[]>();
  readonly named = new Map<string, Authored>();
  readonly attached = new Map<string, Attached>();
  /** The short ids that this batch has found to be free, and that no issue has got since. */
  readonly free = new FreeShortIds();

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
    return this.links.get(keyOf(fromUid, type, toUid));
  }

  parentLink(childUid: string): LinkRow | undefined {
    return this.parents.get(childUid);
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

  authored(projectUid: string, name: string): Authored {
    return this.named.get(keyOf(projectUid, name)) ?? { issues: [], comments: [], links: [] };
  }

  /** Records the new value of a row, `undefined` after a delete. Ignores tables with several key columns. */
  note<T extends FoldedTable>(table: T, key: Key<T>, after: Rows[T] | undefined): void {
    const maps: { readonly [T in FoldedTable]?: Map<string, unknown> } = this.rows;
    maps[table]?.set(keyText(TABLES[table].key, key), after);
  }

  clear(): void {
    const { rows, issues, labels, links, parents, lists, projectIssues, named, attached } = this;
    this.free.clear();
    for (const map of [...Object.values(rows), ...Object.values(lists)]) map.clear();
    for (const map of [issues, labels, links, parents, projectIssues, named, attached]) map.clear();
  }
}

/** Joins the parts of a key with spaces. Uids and link types contain no spaces, and free text comes last. */
export function keyOf(uid: string, second: string, third?: string): string {
  return third === undefined ? `${uid} ${second}` : `${uid} ${second} ${third}`;
}
