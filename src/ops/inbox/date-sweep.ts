import { instantToMs, msToInstant } from "../../base/clock.ts";
import { yieldToLoop } from "../../base/yield-to-loop.ts";
import { DATE_FIELDS } from "../../domain/inbox/planned.ts";
import { SLOT_PREFIX } from "../../domain/inbox/slot.ts";
import type { Reader } from "../../store/types/store.ts";
import type { InboxPlace } from "../../store/types/work.ts";
import { askAboutDates } from "./ask-dates.ts";

type SweepDeps = Parameters<typeof askAboutDates>[0];

/**
 * Period of a full pass over all issues with dates; between two full passes only changed and due issues are checked.
 */
const WALK_MS = 3_600_000;
/** The largest offset of a time zone from UTC (14 hours), plus one hour of reserve. */
const AHEAD_MS = 15 * 3_600_000;
const RETRY_MS = 30_000;
const PAGE = 200;
/** How many issues are checked before the event loop may do other work. */
const SLICE = 25;
const EVENTS = 1000;
/** When more events than this are new, a full pass is less work than checking the changed issues. */
const MANY_EVENTS = 20_000;

/**
 * The sweeps of one daemon over planning dates. Its state only saves work: a new `DateSweep` starts with a full pass.
 */
export class DateSweep {
  readonly #deps: SweepDeps;
  readonly #onFault: (uid: string, error: unknown) => void;
  /** The time in ms at which each issue must be checked again, if that is before the next full pass. */
  readonly #due = new Map<string, number>();
  #cursor = 0;
  #nextFullPassMs = Number.NEGATIVE_INFINITY;

  constructor(deps: SweepDeps, onFault: (uid: string, error: unknown) => void) {
    this.#deps = deps;
    this.#onFault = onFault;
  }

  /** Makes one pass; returns the number of changed issues. */
  async pass(signal: AbortSignal): Promise<number> {
    try {
      const touched = await this.#changedIssues();
      if (touched === undefined) return await this.#checkAll(signal);
      const now = this.#deps.clock.nowMs();
      const reached = [...this.#due].filter(([, at]) => at <= now).map(([uid]) => uid);
      return await this.#checkIssues([...new Set([...touched, ...reached])], signal);
    } catch (error) {
      // Make the next pass a full one, so that it also checks the issues that this pass did not reach.
      this.#nextFullPassMs = Number.NEGATIVE_INFINITY;
      throw error;
    }
  }

  nextMs(): number | undefined {
    const times = [...this.#due.values()];
    return times.length === 0 ? undefined : times.reduce((a, b) => Math.min(a, b));
  }

  /** Uids of issues that changed since the last pass; `undefined` if all must be checked. */
  async #changedIssues(): Promise<ReadonlySet<string> | undefined> {
    const { store, clock } = this.#deps;
    const after = this.#cursor;
    this.#cursor = await store.read(async ({ events }) => await events.lastId());
    if (clock.nowMs() >= this.#nextFullPassMs || this.#cursor - after > MANY_EVENTS)
      return undefined;
    const touched = new Set<string>();
    for (let from = after; from < this.#cursor; ) {
      const page = await store.read(async ({ inbox }) => await inbox.touchedAfter(from, EVENTS));
      for (const { issue_uid } of page) {
        // An event about a whole project concerns all its issues, so check all.
        if (issue_uid === null) return undefined;
        touched.add(issue_uid);
      }
      if (page.length < EVENTS) break;
      from = page.at(-1)?.id ?? this.#cursor;
    }
    return touched;
  }

  async #checkAll(signal: AbortSignal): Promise<number> {
    this.#nextFullPassMs = this.#deps.clock.nowMs() + WALK_MS;
    this.#due.clear();
    const until = msToInstant(this.#nextFullPassMs + AHEAD_MS);
    const ways = [
      ...DATE_FIELDS.map((field) => this.#issuesWithDates(field, until)),
      this.#issuesWithRequests(),
    ];
    let changed = 0;
    for (const way of ways) {
      for await (const places of way) {
        const open = places.filter((place) => place.open).map(({ issue_uid }) => issue_uid);
        changed += await this.#checkIssues(open, signal);
        if (signal.aborted) return changed;
      }
    }
    return changed;
  }

  async *#issuesWithDates(field: string, until: string): AsyncGenerator<readonly InboxPlace[]> {
    let after = { issue_uid: "", value: "" };
    yield* this.#pagesOf(async (reader) => {
      const places = await reader.inbox.dated(field, until, after, PAGE);
      after = places.at(-1) ?? after;
      return places;
    });
  }

  /**
   * Yields the issues with a request for attention. A full pass checks them beside the issues with dates, because the
   * request may be about a date that has been removed.
   */
  async *#issuesWithRequests(): AsyncGenerator<readonly InboxPlace[]> {
    let key: string | undefined;
    for (;;) {
      key = await this.#deps.store.read(async ({ inbox }) => await inbox.nextKey(SLOT_PREFIX, key));
      if (key === undefined) return;
      const slot = key;
      let after = "";
      yield* this.#pagesOf(async (reader) => {
        const places = await reader.inbox.holding(slot, after, PAGE);
        after = places.at(-1)?.issue_uid ?? after;
        return places;
      });
    }
  }

  async *#pagesOf(
    next: (reader: Reader) => Promise<readonly InboxPlace[]>,
  ): AsyncGenerator<readonly InboxPlace[]> {
    for (;;) {
      const places = await this.#deps.store.read(next);
      if (places.length > 0) yield places;
      if (places.length < PAGE) return;
    }
  }

  async #checkIssues(uids: readonly string[], signal: AbortSignal): Promise<number> {
    let changed = 0;
    for (let at = 0; at < uids.length && !signal.aborted; at += SLICE) {
      const slice = uids.slice(at, at + SLICE);
      const look = await askAboutDates(this.#deps, slice);
      changed += look.changed;
      for (const uid of slice) this.#due.delete(uid);
      for (const [uid, next] of look.next) this.#remember(uid, instantToMs(next));
      for (const [uid, error] of look.faults) {
        this.#onFault(uid, error);
        this.#remember(uid, this.#deps.clock.nowMs() + RETRY_MS);
      }
      // SQLite answers without a turn of the event loop, so yield here.
      await yieldToLoop();
    }
    return changed;
  }

  #remember(uid: string, at: number): void {
    if (at < this.#nextFullPassMs) this.#due.set(uid, at);
  }
}
