import type { EventKind, StoredEvent } from "../contract/events.ts";
import { rowMap } from "./bytes-map.ts";
import { evolve } from "./evolve/evolve.ts";
import { linkKey, linksMadeBy } from "./federation/link-borders.ts";
import { mappingsOf, rankOfMappings } from "./mappings.ts";
import { type Groups, IN_MEMORY, type KeyedMap, type Maps } from "./maps.ts";
import { FoldOrder, type Place } from "./order.ts";
import type {
  AuthoredRows,
  Change,
  CommentRow,
  ImportRow,
  IssueRow,
  LabelRow,
  LinkEnds,
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
  /** The order in which the events of this state are folded. It must know their baselines. */
  order = new FoldOrder([]);
  /** For each project of which the daemon has a copy: the origin of its hub. */
  hubs: ReadonlyMap<string, string> = new Map();
  /** The links that events of this daemon have set, by `linkKey`. */
  madeHere: ReadonlySet<string> = new Set();
  readonly #tables: Tables;
  /** For each of the two tables of links: the keys of an issue's links. */
  readonly #linksByIssue: Readonly<Record<LinkTable, Groups>>;
  /** For each of the two tables of links: the key of a child's link to its parent. */
  readonly #parents: Readonly<Record<LinkTable, KeyedMap<string>>>;
  /** For each mapping and issue: the least rank of an event that maps the record to the issue. */
  readonly #ranks: KeyedMap<number>;

  constructor(maps: Maps = IN_MEMORY) {
    this.#tables = Object.fromEntries(
      FOLDED.map((table) => [table, rowMap(TABLES[table], maps)]),
    ) as Tables;
    this.#linksByIssue = { link: maps.groups(), waiting_link: maps.groups() };
    this.#parents = { link: maps.map(), waiting_link: maps.map() };
    this.#ranks = maps.map();
  }

  put<T extends FoldedTable>(table: T, row: Rows[T]): void {
    const key = rowKey(table, row);
    this.#tables[table].set(key, row);
    if (isLinkTable(table)) this.#indexLink(table, key, row as LinkRow);
  }

  remove<T extends FoldedTable>(table: T, keys: Partial<Rows[T]>): void {
    const key = rowKey(table, keys);
    const row = this.#tables[table].get(key);
    this.#tables[table].delete(key);
    if (!isLinkTable(table) || row === undefined) return;
    const { from_uid, to_uid } = row as LinkRow;
    this.#linksByIssue[table].remove(from_uid, key);
    this.#linksByIssue[table].remove(to_uid, key);
    if (this.#parents[table].get(from_uid) === key) this.#parents[table].delete(from_uid);
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
    return this.#linksIn("link", uid);
  }

  waitingLink(fromUid: string, toUid: string, type: LinkType): LinkRow | undefined {
    const { waiting_link: waiting } = this.#tables;
    // This is called for every link of an event. Mostly no link is waiting, and then no key is made.
    return waiting.size === 0 ? undefined : waiting.get(joinKey([fromUid, toUid, type]));
  }

  waitingLinksOf(uid: string): readonly LinkRow[] {
    return this.#linksIn("waiting_link", uid);
  }

  waitingParent(childUid: string): LinkRow | undefined {
    return this.#tables.waiting_link.get(this.#parents.waiting_link.get(childUid) ?? "");
  }

  waitingParents(): readonly LinkRow[] {
    return [...this.#tables.waiting_link.values()].filter(({ type }) => type === "parent");
  }

  /**
   * Always false: a log does not say which issues were purged. So links to purged issues wait in this state for ever.
   */
  isPurged(): boolean {
    return false;
  }

  isFederatedBefore(projectUid: string, event: Place): boolean {
    return this.order.isFederatedBefore(projectUid, event);
  }

  hubOf(projectUid: string): string | undefined {
    return this.hubs.get(projectUid);
  }

  isMadeHere(ends: LinkEnds): boolean {
    return this.madeHere.has(linkKey(ends));
  }

  /** Folds the next event. `evolved` is `evolve`, or a function that calls it. */
  fold(event: StoredEvent, evolved: typeof evolve = evolve): void {
    for (const mapping of mappingsOf(event)) this.#noteRank(event, rowKey("import", mapping));
    this.apply(evolved(this, event));
  }

  #noteRank(event: StoredEvent, mapping: string): void {
    const key = joinKey([mapping, event.issue_uid ?? ""]);
    const rank = rankOfMappings(event, this.order);
    if (rank < (this.#ranks.get(key) ?? Number.POSITIVE_INFINITY)) this.#ranks.set(key, rank);
  }

  isMappedBefore(row: ImportRow): boolean {
    const key = rowKey("import", row);
    const holder = this.#tables.import.get(key)?.issue_uid;
    if (holder === undefined || holder === row.issue_uid) return false;
    const rankOf = (issue_uid: string) =>
      this.#ranks.get(joinKey([key, issue_uid])) ?? Number.POSITIVE_INFINITY;
    return rankOf(holder) < rankOf(row.issue_uid);
  }

  parentLink(childUid: string): LinkRow | undefined {
    return this.#tables.link.get(this.#parents.link.get(childUid) ?? "");
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

  authored(projectUid: string, name: string): AuthoredRows {
    const inProject = (uid: string): boolean => this.issue(uid)?.project_uid === projectUid;
    const linksIn = (table: LinkTable): readonly LinkRow[] =>
      [...this.#tables[table].values()].filter(
        ({ author, from_uid }) => author === name && inProject(from_uid),
      );
    return {
      issues: this.issuesOf(projectUid).filter(
        ({ author, owner }) => author === name || owner === name,
      ),
      comments: [...this.#tables.comment.values()].filter(
        ({ author, issue_uid }) => author === name && inProject(issue_uid),
      ),
      links: linksIn("link"),
      waitingLinks: linksIn("waiting_link"),
    };
  }

  #linksIn(table: LinkTable, uid: string): readonly LinkRow[] {
    const links = [...this.#linksByIssue[table].of(uid)].map((key) => this.#tables[table].get(key));
    return links.filter((link) => link !== undefined);
  }

  #indexLink(table: LinkTable, key: string, { from_uid, to_uid, type }: LinkRow): void {
    if (type === "parent") this.#parents[table].set(from_uid, key);
    this.#linksByIssue[table].add(from_uid, key);
    this.#linksByIssue[table].add(to_uid, key);
  }
}

type LinkTable = "link" | "waiting_link";

function isLinkTable(table: FoldedTable): table is LinkTable {
  return table === "link" || table === "waiting_link";
}

/** The data that decides whether links out of a hub's projects are shown (`LinkChanges`). */
export interface Borders {
  readonly hubs: MemoryState["hubs"];
  /** The daemon whose own links are shown. */
  readonly instance_uid: string;
}

/** Folds a whole log (docs/contract/events.md#62-effects). The events must be in the order of the fold. */
export function foldLog(events: Iterable<StoredEvent<EventKind>>, borders?: Borders): MemoryState {
  const all = [...events];
  const baselines = all.filter(({ type }) => type === "project.federation_enabled");
  return foldPart(all, new FoldOrder(baselines), borders);
}

/** Folds events of a log that are in the order of the fold. `order` knows all baselines of the log. */
export function foldPart(
  events: Iterable<StoredEvent<EventKind>>,
  order: FoldOrder,
  borders?: Borders,
): MemoryState {
  const all = [...events];
  const state = new MemoryState();
  state.order = order;
  if (borders !== undefined && borders.hubs.size > 0) {
    state.hubs = borders.hubs;
    state.madeHere = linksMadeBy(borders.instance_uid, all);
  }
  for (const event of all) state.fold(event);
  return state;
}

export function rowKey<T extends FoldedTable>(table: T, row: Partial<Rows[T]>): string {
  const values: Readonly<Record<string, unknown>> = row;
  return joinKey(TABLES[table].key.map((column) => String(values[column])));
}

function joinKey(parts: readonly string[]): string {
  return parts.join("\u0000");
}
