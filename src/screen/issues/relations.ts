import type { Instant } from "../../base/clock.ts";
import { isInView, type Today, todayAt } from "../../domain/planning-days.ts";
import { derivedOf, type GraphIssue, type IssueGraph, isReady } from "../../domain/readiness.ts";
import type { Memo } from "../memo.ts";
import { minuteOf } from "../minute.ts";
import type { State } from "../state.ts";
import { differences, type Issue, type Issues, NO_ISSUES, type Standing } from "./issues.ts";
import { type IssueContext, isMatch, isNarrower, parseQuery, type Query, textOf } from "./query.ts";
import { deadlineOf } from "./sort.ts";
import { Tally } from "./tally.ts";

export interface Counts {
  readonly statuses: Readonly<Record<Standing | "open" | "all", number>>;
  /** The labels of open issues, each with the number of these issues, the most used first. */
  readonly labels: readonly (readonly [string, number])[];
  /** The owners of open issues, each with the number of these issues, the most frequent first. */
  readonly owners: readonly (readonly [string, number])[];
}

interface QueryResult {
  readonly query: Query;
  readonly issues: Set<Issue>;
}

/**
 * The maximum number of filters whose results are kept up to date. The filters that were used last are kept: the
 * filters of the views that show a count, and the filters that the person typed last.
 */
const MAX_FOUND = 24;

/**
 * The data that decides whether an issue is ready, blocked or waiting. The current time matters for issues with a
 * planned date.
 */
export interface RelationInputs {
  readonly memo: Memo;
  readonly issues: Issues;
  readonly now: Instant;
  readonly preferences: Pick<State["preferences"], "zone">;
}

/**
 * Returns the object that computes states, counts and filter results of these issues. Each call updates and returns the
 * same object, because a change of few issues then costs little. So the object is valid only until a call with other
 * issues or a later time. Times are cut to minutes, so a scheduled day begins at most a minute late.
 */
export function relationsOf({
  memo,
  issues,
  now,
  preferences: { zone },
}: RelationInputs): Relations {
  return memo.own(newRelations).follow(issues, minuteOf(now), zone);
}

function newRelations(): Relations {
  return new Relations();
}

const LETTERS = { ready: "o", blocked: "b", waiting: "w", closed: "x" } as const;
export type Letter = (typeof LETTERS)[Standing];

/** The letter for the issue's standing, such as `o` for open and ready. A lease does not change the letter. */
export function letterOf(known: RelationInputs, issue: Issue): Letter {
  return LETTERS[relationsOf(known).standingOf(issue)];
}

/**
 * Computes from all issues: the standing of each issue, counts, and which issues a filter finds. When issues have
 * changed, only results that depend on these issues are computed again.
 */
export class Relations {
  #issues = NO_ISSUES;
  #minute: Instant = "";
  #zone = "";
  #today: Today = { local_date: "", time_zone: "" };
  readonly #children = new Index();
  /** For each issue, the issues that it blocks; the blocking issue need not be loaded. */
  readonly #waiting = new Index();
  readonly #standings = new Map<string, Standing>();
  /** Issues whose standing can change with time. */
  readonly #dated = new Set<string>();
  readonly #statuses = new Tally<Standing>();
  readonly #labels = new Tally<string>();
  readonly #owners = new Tally<string>();
  readonly #idLengths = new Tally<number>();
  #deadlines = 0;
  #counts: Counts | undefined;
  /** The results of filters by the filter's text. The filter that was used last is at the end. */
  readonly #found = new Map<string, QueryResult>();
  /** The lower-case text of each issue. Making the texts again would take most of a filter's time. */
  readonly #texts = new WeakMap<Issue, string>();

  follow(issues: Issues, minute: Instant, zone: string): this {
    const isSameTime = minute === this.#minute && zone === this.#zone;
    if (issues === this.#issues && isSameTime) return this;
    const { gone, come } = differences(this.#issues, issues);
    this.#issues = issues;
    for (const issue of gone) this.#link(issue, -1);
    for (const issue of come) this.#link(issue, 1);
    const touched = this.#touchedBy([...gone, ...come]);
    if (!isSameTime) for (const uid of this.#dated) touched.add(uid);
    this.#minute = minute;
    this.#zone = zone;
    this.#beginDay();
    const graph = this.#graph();
    const again = new Set(come);
    for (const uid of touched) {
      const issue = this.#issues.get(uid);
      if (this.#judge(uid, issue, graph) && issue !== undefined) again.add(issue);
    }
    for (const found of this.#found.values()) this.#findAgain(found, gone, again);
    this.#counts = undefined;
    return this;
  }

  found(text: string): ReadonlySet<Issue> {
    return this.#foundBy(text).issues;
  }

  countOf(text: string): number {
    return this.#foundBy(text).issues.size;
  }

  /** Counts the issues that a filter finds, for a filter that is counted only once. So its result is not kept. */
  countOnce(text: string): number {
    return this.#found.get(text)?.issues.size ?? this.#find(parseQuery(text)).issues.size;
  }

  #foundBy(text: string): QueryResult {
    const found = this.#found.get(text) ?? this.#find(parseQuery(text));
    this.#found.delete(text);
    this.#found.set(text, found);
    const [oldest] = this.#found.keys();
    if (this.#found.size > MAX_FOUND && oldest !== undefined) this.#found.delete(oldest);
    return found;
  }

  /** Finds the issues of a filter. If the filter narrows an earlier filter, only the earlier result is searched. */
  #find(query: Query): QueryResult {
    const wider = [...this.#found.values()].findLast((known) => isNarrower(query, known.query));
    const issues = new Set<Issue>();
    for (const issue of wider?.issues ?? this.#issues.values())
      if (this.#isMatch(issue, query)) issues.add(issue);
    return { query, issues };
  }

  #findAgain({ query, issues }: QueryResult, gone: readonly Issue[], again: Iterable<Issue>): void {
    for (const issue of gone) issues.delete(issue);
    for (const issue of again)
      if (this.#isMatch(issue, query)) issues.add(issue);
      else issues.delete(issue);
  }

  #isMatch(issue: Issue, query: Query): boolean {
    return isMatch(issue, query, this.around);
  }

  /** Drops the cached results of filters that depend on the date, if the day or the zone has changed. */
  #beginDay(): void {
    const today = todayAt(this.#minute, this.#zone);
    const { local_date, time_zone } = this.#today;
    if (today.local_date === local_date && today.time_zone === time_zone) return;
    this.#today = today;
    for (const [text, { query }] of this.#found)
      if (query.date !== undefined) this.#found.delete(text);
  }

  readonly #textOf = (issue: Issue): string => {
    let text = this.#texts.get(issue);
    if (text === undefined) this.#texts.set(issue, (text = textOf(issue)));
    return text;
  };

  standingOf({ uid, status, blocked }: Issue): Standing {
    const known = status === "closed" ? "closed" : blocked ? "blocked" : "ready";
    return this.#standings.get(uid) ?? known;
  }

  readonly around: IssueContext = {
    standingOf: (issue) => this.standingOf(issue),
    isDated: ({ metadata }, view) => isInView(view, metadata, this.#today),
    textOf: this.#textOf,
  };

  counts(): Counts {
    return (this.#counts ??= {
      statuses: {
        all: this.#issues.size,
        open: this.#issues.size - this.#statuses.of("closed"),
        ready: this.#statuses.of("ready"),
        blocked: this.#statuses.of("blocked"),
        waiting: this.#statuses.of("waiting"),
        closed: this.#statuses.of("closed"),
      },
      labels: this.#labels.sorted(),
      owners: this.#owners.sorted(),
    });
  }

  longestId(): number {
    return Math.max(0, ...this.#idLengths.sorted().map(([length]) => length));
  }

  hasDeadlines(): boolean {
    return this.#deadlines > 0;
  }

  #link(issue: Issue, by: 1 | -1): void {
    const { uid, short_id, parent, blocked_by, metadata, status, labels, owner } = issue;
    this.#idLengths.add(short_id.length, by);
    if (parent !== undefined) this.#children.add(parent, uid, by);
    for (const blocker of blocked_by) this.#waiting.add(blocker, uid, by);
    if (by === 1 && metadata["scheduled_on"] !== undefined) this.#dated.add(uid);
    if (by === -1) this.#dated.delete(uid);
    if (status !== "open") return;
    for (const label of labels) this.#labels.add(label, by);
    this.#owners.add(owner ?? "(none)", by);
    if (deadlineOf(issue) !== undefined) this.#deadlines += by;
  }

  /** The uids of the changed issues, and of the issues whose standing may depend on them. */
  #touchedBy(changed: readonly Issue[]): Set<string> {
    const touched = new Set<string>();
    for (const { uid } of changed) {
      touched.add(uid);
      for (const waiting of this.#waiting.of(uid)) touched.add(waiting);
    }
    // An issue that is held back holds back its descendants too. The loop also visits the uids that it adds to the set.
    for (const uid of touched) for (const child of this.#children.of(uid)) touched.add(child);
    for (const { parent } of changed) if (parent !== undefined) touched.add(parent);
    return touched;
  }

  /** Computes the standing of one issue again and updates the counts. Returns whether the standing changed. */
  #judge(uid: string, issue: Issue | undefined, graph: IssueGraph): boolean {
    const known = this.#standings.get(uid);
    const now = issue === undefined ? undefined : this.#standing(issue, graph);
    if (known === now) return false;
    if (known !== undefined) this.#statuses.add(known, -1);
    if (now === undefined) this.#standings.delete(uid);
    else {
      this.#standings.set(uid, now);
      this.#statuses.add(now, 1);
    }
    return true;
  }

  #standing(issue: Issue, graph: IssueGraph): Standing {
    if (issue.status !== "open") return "closed";
    if (isBlocked(issue, this.#issues)) return "blocked";
    return isReady(derivedOf(graph, issue, this.#zone), this.#minute, false) ? "ready" : "waiting";
  }

  /**
   * The issues and links from which readiness is computed. The links are cached, because readiness reads the links of
   * an issue and of its ancestors many times.
   */
  #graph(): IssueGraph {
    const known = new Map<string, readonly Link[]>();
    return {
      issue: (uid): GraphIssue | undefined => this.#issues.get(uid),
      project: () => ({ deleted_at: null }),
      recurrence: () => undefined,
      linksOf: (uid) => {
        let links = known.get(uid);
        if (links === undefined) known.set(uid, (links = this.#linksAt(uid)));
        return links;
      },
    };
  }

  #linksAt(uid: string): readonly Link[] {
    const issue = this.#issues.get(uid);
    if (issue === undefined) return [];
    const { parent, blocked_by } = issue;
    const links: Link[] = blocked_by.map((from_uid) => ({ from_uid, to_uid: uid, type: "blocks" }));
    if (parent !== undefined) links.push({ from_uid: uid, to_uid: parent, type: "parent" });
    for (const from_uid of this.#children.of(uid))
      links.push({ from_uid, to_uid: uid, type: "parent" });
    return links;
  }
}

type Link = ReturnType<IssueGraph["linksOf"]>[number];

/** Whether an open issue blocks this one. If a blocker is not loaded here, the daemon's `blocked` decides. */
function isBlocked({ blocked, blocked_by }: Issue, issues: Issues): boolean {
  const blockers = blocked_by.map((uid) => issues.get(uid));
  if (blockers.some((blocker) => blocker?.status === "open")) return true;
  return blocked && blockers.includes(undefined);
}

class Index {
  readonly #sets = new Map<string, Set<string>>();

  of(key: string): Iterable<string> {
    return this.#sets.get(key) ?? [];
  }

  add(key: string, uid: string, by: 1 | -1): void {
    const set = this.#sets.get(key) ?? new Set();
    if (by === 1) set.add(uid);
    else set.delete(uid);
    if (set.size === 0) this.#sets.delete(key);
    else this.#sets.set(key, set);
  }
}
