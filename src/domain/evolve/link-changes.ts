import type { Change, IssueRow, LinkEnds, LinkRow, State } from "../state.ts";

/** A link that is set, and whether it waits (table `waiting_link`) or is shown (table `link`). */
interface KnownLink {
  readonly row: LinkRow;
  readonly waits: boolean;
}

interface ChangedLink {
  readonly ends: LinkEnds;
  readonly after: KnownLink | undefined;
}

/**
 * Collects what one event does to links. A link that an event has set is shown if both of its issues exist. If one of
 * them is missing, the link waits, and is shown as soon as that issue exists. A link with a purged issue is not kept.
 *
 * A link from an issue of a copy also waits if it leads out of the projects of the copy's hub, because what a hub says
 * must not block or hold issues that are not its own (docs/contract/federation.md#84-links-and-parents). If an event of
 * this daemon has ever set such a link, the link is shown, because somebody here wanted it. A link in the other
 * direction belongs to this daemon, so it is shown.
 *
 * Each child has one candidate for its parent, the last one that was set. If candidates form a circle, the youngest
 * link of the circle waits: by `created_at`, then by the uid of the child. If the circle leads through several
 * projects, the youngest of its links between two projects waits instead. So a database with only one of the projects
 * shows the same links of that project. The place of an event in the log does not matter, so every database shows the
 * same links.
 */
export class LinkChanges {
  readonly #state: State;
  readonly #projects: ReadonlyMap<string, string>;
  readonly #changed = new Map<string, ChangedLink>();
  readonly #candidates = new Map<string, LinkRow | undefined>();

  /** `issues` are those that the event creates or moves to another project, as they are after the event. */
  constructor(state: State, issues: readonly Pick<IssueRow, "uid" | "project_uid">[] = []) {
    this.#state = state;
    this.#projects = new Map(issues.map(({ uid, project_uid }) => [uid, project_uid]));
  }

  /**
   * Adds the link. A parent replaces the earlier candidate of the child, even if the new parent was purged. If the link
   * is set already and waits, this decides again whether it waits, because the event may be the first of this daemon
   * that sets the link.
   */
  put(link: LinkRow): void {
    const { from_uid, to_uid, type } = link;
    if (from_uid === to_uid) return;
    const known = this.#find(link);
    if (known?.waits === true) this.judge([link]);
    if (known !== undefined) return;
    const older = type === "parent" ? this.#candidate(from_uid) : undefined;
    if (older !== undefined) this.#set(older, undefined);
    const isKept = !this.#state.isPurged(from_uid) && !this.#state.isPurged(to_uid);
    if (isKept) this.#set(link, { row: link, waits: !this.#areThere(link) });
    if (type === "parent") this.judgeParents([from_uid, older?.to_uid]);
  }

  remove(ends: LinkEnds): void {
    if (this.#find(ends) === undefined) return;
    this.#set(ends, undefined);
    if (ends.type === "parent") this.judgeParents([ends.from_uid, ends.to_uid]);
  }

  /** Shows the links that have waited for this issue. */
  issueAppeared(uid: string): void {
    const waiting = this.#state.waitingLinksOf(uid).toSorted(byAge);
    for (const row of waiting) {
      if (row.type === "parent") continue;
      if (this.#areThere(row)) this.#set(row, { row, waits: false });
    }
    this.judgeParents(waiting.flatMap(({ type, from_uid }) => (type === "parent" ? from_uid : [])));
  }

  /** Decides again whether these links wait. Does nothing for links that are not set. */
  judge(links: readonly LinkEnds[]): void {
    for (const ends of links) {
      const known = this.#find(ends);
      if (known === undefined || ends.type === "parent") continue;
      const waits = !this.#areThere(ends);
      if (known.waits !== waits) this.#set(ends, { row: known.row, waits });
    }
    this.judgeParents(links.flatMap(({ type, from_uid }) => (type === "parent" ? from_uid : [])));
  }

  /** The changes, removals first. */
  changes(): readonly Change[] {
    const removals: Change[] = [];
    const puts: Change[] = [];
    for (const { ends, after } of this.#changed.values()) {
      const before = this.#stored(ends);
      if (before?.row === after?.row && before?.waits === after?.waits) continue;
      if (before !== undefined) removals.push(removalOf(before));
      if (after !== undefined) puts.push(putOf(after));
    }
    return [...removals, ...puts];
  }

  /**
   * Follows the candidates from these issues upwards, and decides for each link on the way whether it waits. If a
   * child's candidate has changed, a circle can have begun or ended only on the way up from its old or its new parent.
   */
  judgeParents(starts: readonly (string | undefined)[]): void {
    const seen = new Set<string>();
    for (const start of starts) {
      const path: LinkRow[] = [];
      let at = start;
      while (at !== undefined && !seen.has(at)) {
        seen.add(at);
        const candidate = this.#candidate(at);
        if (candidate === undefined) break;
        path.push(candidate);
        at = candidate.to_uid;
      }
      const circle = path.slice(indexOrEnd(path, ({ from_uid }) => from_uid === at));
      const loser = circle.every((link) => this.#areThere(link))
        ? this.#youngest(circle)
        : undefined;
      for (const row of path) {
        const waits = row === loser || !this.#areThere(row);
        if (this.#find(row)?.waits !== waits) this.#set(row, { row, waits });
      }
    }
  }

  #youngest(circle: readonly LinkRow[]): LinkRow | undefined {
    const between = circle.filter(
      ({ from_uid, to_uid }) => this.#projectOf(from_uid) !== this.#projectOf(to_uid),
    );
    return (between.length === 0 ? circle : between).toSorted(byAge).at(-1);
  }

  #set(ends: LinkEnds, link: KnownLink | undefined): void {
    this.#changed.set(keyOf(ends), { ends, after: link });
    if (ends.type === "parent") this.#candidates.set(ends.from_uid, link?.row);
  }

  #find(ends: LinkEnds): KnownLink | undefined {
    const changed = this.#changed.get(keyOf(ends));
    return changed === undefined ? this.#stored(ends) : changed.after;
  }

  #stored({ from_uid, to_uid, type }: LinkEnds): KnownLink | undefined {
    const row = this.#state.link(from_uid, to_uid, type);
    if (row !== undefined) return { row, waits: false };
    const waiting = this.#state.waitingLink(from_uid, to_uid, type);
    return waiting === undefined ? undefined : { row: waiting, waits: true };
  }

  #candidate(child: string): LinkRow | undefined {
    if (this.#candidates.has(child)) return this.#candidates.get(child);
    return this.#state.parentLink(child) ?? this.#state.waitingParent(child);
  }

  #areThere(ends: LinkEnds): boolean {
    const { from_uid, to_uid } = ends;
    const [from, to] = [this.#projectOf(from_uid), this.#projectOf(to_uid)];
    if (from === undefined || to === undefined) return false;
    return !leadsOut(this.#state, from, to) || this.#state.isMadeHere(ends);
  }

  #projectOf(uid: string): string | undefined {
    return this.#projects.get(uid) ?? this.#state.issue(uid)?.project_uid;
  }
}

/** Whether a link stored from an issue of the project `from` leads out of the projects of a hub. */
export function leadsOut(
  state: Pick<State, "hubOf">,
  from: string,
  to: string | undefined,
): boolean {
  const hub = from === to ? undefined : state.hubOf(from);
  return hub !== undefined && (to === undefined || hub !== state.hubOf(to));
}

function putOf({ row, waits }: KnownLink): Change {
  return waits ? { table: "waiting_link", put: row } : { table: "link", put: row };
}

function removalOf({ row: { from_uid, to_uid, type }, waits }: KnownLink): Change {
  const remove = { from_uid, to_uid, type };
  return waits ? { table: "waiting_link", remove } : { table: "link", remove };
}

function keyOf({ type, from_uid, to_uid }: LinkEnds): string {
  return `${type} ${from_uid} ${to_uid}`;
}

function byAge(left: LinkRow, right: LinkRow): number {
  return (
    compare(left.created_at, right.created_at) ||
    compare(left.from_uid, right.from_uid) ||
    compare(left.to_uid, right.to_uid) ||
    compare(left.type, right.type)
  );
}

function compare(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0;
}

/** The index of the first match, or the length of the list if nothing matches. */
function indexOrEnd<T>(list: readonly T[], matches: (item: T) => boolean): number {
  const at = list.findIndex(matches);
  return at === -1 ? list.length : at;
}
