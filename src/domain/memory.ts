import type { EventKind, StoredEvent } from "../contract/events.ts";
import { rowMap } from "./bytes-map.ts";
import { evolve } from "./evolve/evolve.ts";
import { type Groups, IN_MEMORY, type KeyedMap, type Maps } from "./maps.ts";
import type {
  Authored,
  Change,
  CommentRow,
  IssueRow,
  LabelRow,
  LinkRow,
  LinkType,
  ListedTable,
  ProjectRow,
  RecurrenceRow,
  State,
} from "./state.ts";
import { FOLDED, type FoldedTable, type Rows, TABLES } from "./tables/tables.ts";

type Tables = { readonly [T in FoldedTable]: KeyedMap<Rows[T]> };

/**
 * Holds the rows that result from folding events. The store loads the rows that an event needs into such a state,
 * doctor folds a whole log into one, and tests compare one with the tables. By default the rows are in memory. A caller
 * can pass other maps, because the rows of a whole log may not fit into memory.
 */
export class MemoryState implements State {
  readonly #tables: Tables;
  /** The keys of an issue's links. */
  readonly #linksByIssue: Groups;

  constructor(maps: Maps = IN_MEMORY) {
    this.#tables = Object.fromEntries(
      FOLDED.map((table) => [table, rowMap(TABLES[table], maps)]),
    ) as Tables;
    this.#linksByIssue = maps.groups();
  }

  put<T extends FoldedTable>(table: T, row: Rows[T]): void {
    const key = rowKey(table, row);
    this.#tables[table].set(key, row);
    if (table === "link") this.#indexLink(key, row as LinkRow);
  }

  remove<T extends FoldedTable>(table: T, keys: Partial<Rows[T]>): void {
    const key = rowKey(table, keys);
    const row = this.#tables[table].get(key);
    this.#tables[table].delete(key);
    if (table !== "link" || row === undefined) return;
    const { from_uid, to_uid } = row as LinkRow;
    this.#linksByIssue.remove(from_uid, key);
    this.#linksByIssue.remove(to_uid, key);
  }

  apply(changes: readonly Change[]): void {
    for (const change of changes) {
      if ("put" in change) this.put(change.table, change.put);
      else this.remove(change.table, change.remove);
    }
  }

  rows<T extends FoldedTable>(table: T): Iterable<Rows[T]> {
    return this.#tables[table].values();
  }

  count(table: FoldedTable): number {
    return this.#tables[table].size;
  }

  project(uid: string): ProjectRow | undefined {
    return this.#tables.project.get(uid);
  }

  issue(uid: string): IssueRow | undefined {
    return this.#tables.issue.get(uid);
  }

  comment(uid: string): CommentRow | undefined {
    return this.#tables.comment.get(uid);
  }

  label(issueUid: string, label: string): LabelRow | undefined {
    return this.#tables.label.get(joinKey([issueUid, label]));
  }

  link(fromUid: string, toUid: string, type: LinkType): LinkRow | undefined {
    return this.#tables.link.get(joinKey([fromUid, toUid, type]));
  }

  linksOf(uid: string): readonly LinkRow[] {
    const links = [...this.#linksByIssue.of(uid)].map((key) => this.#tables.link.get(key));
    return links.filter((link) => link !== undefined);
  }

  parentLink(childUid: string): LinkRow | undefined {
    return this.linksOf(childUid).find(
      (link) => link.type === "parent" && link.from_uid === childUid,
    );
  }

  recurrence(uid: string): RecurrenceRow | undefined {
    return this.#tables.recurrence.get(uid);
  }

  row<T extends FoldedTable>(table: T, key: string): Rows[T] | undefined {
    return this.#tables[table].get(key);
  }

  of<T extends ListedTable>(table: T, projectUid: string): readonly Rows[T][] {
    return [...this.#tables[table].values()].filter((row) => row.project_uid === projectUid);
  }

  issuesOf(projectUid: string): readonly IssueRow[] {
    return [...this.#tables.issue.values()].filter((issue) => issue.project_uid === projectUid);
  }

  authored(projectUid: string, name: string): Authored {
    const inProject = (uid: string): boolean => this.issue(uid)?.project_uid === projectUid;
    return {
      issues: this.issuesOf(projectUid).filter(
        ({ author, owner }) => author === name || owner === name,
      ),
      comments: [...this.#tables.comment.values()].filter(
        ({ author, issue_uid }) => author === name && inProject(issue_uid),
      ),
      links: [...this.#tables.link.values()].filter(
        ({ author, from_uid }) => author === name && inProject(from_uid),
      ),
    };
  }

  #indexLink(key: string, { from_uid, to_uid }: LinkRow): void {
    this.#linksByIssue.add(from_uid, key);
    this.#linksByIssue.add(to_uid, key);
  }
}

/** Folds a whole log from the first event to the last (facts federation, 8). */
export function foldLog(events: Iterable<StoredEvent<EventKind>>): MemoryState {
  const state = new MemoryState();
  for (const event of events) state.apply(evolve(state, event));
  return state;
}

export function rowKey<T extends FoldedTable>(table: T, row: Partial<Rows[T]>): string {
  const values: Readonly<Record<string, unknown>> = row;
  return joinKey(TABLES[table].key.map((column) => String(values[column])));
}

function joinKey(parts: readonly string[]): string {
  return parts.join("\u0000");
}
