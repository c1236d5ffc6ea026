import type { Clock } from "../base/clock.ts";
import { yieldToLoop } from "../base/yield-to-loop.ts";
import { textOf } from "../domain/meaning/recipe.ts";
import type { ContentMark, ContentText } from "../store/types/contents.ts";
import type { Reader } from "../store/types/store.ts";
import type { EmbeddedIssue, IndexedIssue, Restamp, VectorStore } from "../store/types/vectors.ts";
import { Backlog } from "./backlog.ts";
import { type Differences, differencesOf, stampOf } from "./compare.ts";
import { FailedTexts } from "./failed-texts.ts";
import { hashOf } from "./identity.ts";
import type { ReadStore } from "./read-store.ts";
import { Turns } from "./turns.ts";

/** How many issues are compared before the event loop handles other work. */
const AT_ONCE = 2000;
/** How many issues one transaction of the index removes or stamps anew. It blocks the event loop while it runs. */
const WRITTEN_AT_ONCE = 100;
/** How many issues are looked up by their uids at once. */
const UIDS_AT_ONCE = 500;
/** How many texts are in memory at once. A text may have 1 MB. */
const TEXTS_AT_ONCE = 8;
/** Hashing a longer text takes a noticeable time. */
const LONG_TEXT = 100_000;
/** With more events since the last comparison, all issues are compared: that takes less time. */
const MOST_EVENTS = 5000;
const END = Number.MAX_SAFE_INTEGER;

interface Needs {
  readonly clock: Pick<Clock, "nowMs">;
  readonly store: ReadStore;
  readonly vectors: VectorStore;
  /** Called after the vectors of these issues were removed. */
  forgotten(uids: readonly string[]): void;
}

/** The generation that is filled, and another one that still answers searches. */
export interface Filled {
  readonly working: number;
  readonly serving: number | undefined;
}

/** How many issues have current vectors, were refused by the provider, and are to be embedded. */
export interface IndexCounts {
  readonly embedded: number;
  readonly skipped: number;
  readonly backlog: number;
}

type Place = "done" | "skipped" | "backlog";

/** The issues of the tables and those of both generations up to the local id `upTo`. */
interface Range {
  readonly upTo: number;
  readonly marks: readonly ContentMark[];
  readonly stamps: readonly IndexedIssue[];
  /** What the generation has that still answers searches, if it is another one. */
  readonly old: readonly IndexedIssue[];
}

/**
 * Compares the issues of the tables with one generation of the index, and knows which issues are to be embedded. Each
 * step ends before the next one begins, whoever asks for it.
 */
export class IssueIndex {
  readonly #deps: Needs;
  readonly #turns = new Turns();
  #counts = { done: 0, skipped: 0 };
  #backlog = new Backlog();
  readonly #failed: FailedTexts;
  #filled: Filled | undefined;
  /** The last event and the last reset that were taken into account. Undefined if all issues are compared next. */
  #seen: { readonly event: number; readonly reset: number } | undefined;
  /** True if the comparison that runs was overtaken by a removal. */
  #isOutdated = false;

  constructor(deps: Needs) {
    this.#deps = deps;
    this.#failed = new FailedTexts(deps.clock);
  }

  get counts(): IndexCounts {
    const { done, skipped } = this.#counts;
    return { embedded: done, skipped, backlog: this.#backlog.size };
  }

  /** Whether all issues were compared with the generation that is filled now. */
  get isCompared(): boolean {
    return this.#seen !== undefined;
  }

  compareAllNext(): void {
    this.#seen = undefined;
    this.#isOutdated = true;
  }

  /** Finds what changed since the last call. If the generation is another one, all issues are compared. */
  async compare(filled: Filled, signal: AbortSignal): Promise<void> {
    const { working, serving } = filled;
    if (this.#filled?.working !== working || this.#filled.serving !== serving)
      this.#seen = undefined;
    this.#filled = filled;
    this.#isOutdated = false;
    const head = await this.#read(async ({ events }) => ({
      event: await events.lastId(),
      reset: await events.resetAfter(),
    }));
    const seen = this.#seen;
    if (seen?.event === head.event && seen.reset === head.reset) return;
    const uids = seen?.reset === head.reset ? await this.#touched(seen.event, head.event) : "all";
    if (uids === "all") {
      if (!(await this.#compareAll(filled, signal))) return;
    } else {
      for (let at = 0; at < uids.length; at += UIDS_AT_ONCE) {
        const some = uids.slice(at, at + UIDS_AT_ONCE);
        await this.#turns.take(async () => await this.#compareSome(working, some));
      }
    }
    if (!this.#isOutdated) this.#seen = head;
  }

  /** The local ids of the newest issues that are to be embedded. */
  newest(most: number): readonly number[] {
    return this.#backlog.newest(most);
  }

  /** Writes vectors, or the stamps of skipped issues. Leaves out issues whose text has changed since. */
  async put(generation: number, issues: readonly EmbeddedIssue[]): Promise<void> {
    await this.#turns.take(async () => {
      const current = async () => await this.#unchanged(issues);
      const written = await this.#deps.vectors.put(generation, issues, current);
      for (const issue of issues) {
        if (!written.has(issue.issue_uid)) continue;
        this.#failed.stored(issue);
        this.#move(issue.issue_id, "backlog", issue.state);
      }
    });
  }

  /** Marks stamped issues as up to date, because their text is again the one whose hash the stamp has. */
  async restamp(
    generation: number,
    issues: readonly { readonly mark: ContentMark; readonly stamp: IndexedIssue }[],
  ): Promise<void> {
    await this.#turns.take(async () => {
      const stamps = issues.map(({ mark, stamp }) => stampOf(mark, stamp.text_hash));
      const current = await this.#unchanged(stamps);
      const same = stamps.filter(({ issue_uid }) => current.has(issue_uid));
      if (same.length === 0) return;
      const written = await this.#deps.vectors.restamp(generation, same);
      for (const { mark, stamp } of issues)
        if (written.has(mark.uid)) this.#move(mark.id, "backlog", stamp.state);
    });
  }

  /**
   * Removes issues from all generations and erases their bytes, also those of vectors that were removed before. What
   * the counts are then is found by comparing all issues.
   */
  async remove(uids: readonly string[]): Promise<void> {
    await this.#turns.take(async () => {
      await this.#deps.vectors.remove(uids, { erase: true });
      this.#deps.forgotten(uids);
      this.compareAllNext();
    });
  }

  async #touched(after: number, upTo: number): Promise<readonly string[] | "all"> {
    if (upTo - after > MOST_EVENTS) return "all";
    return await this.#read(async ({ contents }) =>
      (await contents.touchedProjects({ after, upTo }))
        ? "all"
        : await contents.touched({ after, upTo }),
    );
  }

  /** Returns false if it was aborted. */
  async #compareAll(filled: Filled, signal: AbortSignal): Promise<boolean> {
    const fresh = { done: 0, skipped: 0 };
    const backlog = new Backlog();
    for (let after = 0; after !== END; ) {
      if (signal.aborted) return false;
      after = await this.#turns.take(async () => {
        const range = await this.#range(filled, after);
        const { current, missing } = await this.#tidied(filled.working, range);
        for (const { state } of current) fresh[state]++;
        for (const { id } of missing) backlog.add(id);
        return range.upTo;
      });
      await yieldToLoop();
    }
    this.#counts = fresh;
    this.#backlog = backlog;
    return true;
  }

  /** Reads the issues after a local id up to another one, of which neither the tables nor a generation have too many. */
  async #range({ working, serving }: Filled, after: number): Promise<Range> {
    const { vectors } = this.#deps;
    const marks = await this.#read(async ({ contents }) => await contents.marks(after, AT_ONCE));
    let upTo = lastOf(marks.map(({ id }) => id)) ?? END;
    const read = async (generation: number): Promise<readonly IndexedIssue[]> => {
      const stamps = await vectors.range(generation, after, upTo, AT_ONCE);
      upTo = lastOf(stamps.map(({ issue_id }) => issue_id)) ?? upTo;
      return stamps;
    };
    const stamps = await read(working);
    const old = serving === undefined || serving === working ? [] : await read(serving);
    return {
      upTo,
      marks: marks.filter(({ id }) => id <= upTo),
      stamps: stamps.filter(({ issue_id }) => issue_id <= upTo),
      old,
    };
  }

  /** Compares a range of issues with both generations, and removes what is gone from either. */
  async #tidied(working: number, { marks, stamps, old }: Range): Promise<Differences> {
    const found = this.#differences(marks, stamps);
    const gone = new Set([...found.gone, ...differencesOf(marks, old).gone]);
    await this.#apply(working, { ...found, gone: [...gone] });
    return found;
  }

  async #compareSome(working: number, uids: readonly string[]): Promise<void> {
    const { marks, ids } = await this.#read(async ({ contents }) => ({
      marks: await contents.marksOf(uids),
      ids: await contents.idsOf(uids),
    }));
    const stamps = await this.#deps.vectors.find(working, uids);
    const before = new Map<number, Place>(stamps.map(({ issue_id, state }) => [issue_id, state]));
    const found = this.#differences(marks, stamps);
    const live = new Set(marks.map(({ uid }) => uid));
    // Another generation may have vectors of an issue that this one never had.
    const gone = uids.filter((uid) => !live.has(uid));
    await this.#apply(working, { ...found, gone: [...new Set([...found.gone, ...gone])] });
    const after = new Map<number, Place>([
      ...found.current.map(({ issue_id, state }) => [issue_id, state] as const),
      ...found.missing.map(({ id }) => [id, "backlog"] as const),
    ]);
    // A deleted issue may be in the backlog without ever having had a stamp.
    for (const id of new Set([...before.keys(), ...after.keys(), ...ids]))
      this.#move(id, before.get(id), after.get(id));
  }

  async #apply(working: number, { moved, gone }: Differences): Promise<void> {
    const { vectors, forgotten } = this.#deps;
    await inPortions(moved, async (some) => void (await vectors.restamp(working, some)));
    await inPortions(gone, async (some) => {
      await vectors.remove(some);
      forgotten(some);
      this.#failed.forget(some);
    });
  }

  #differences(marks: readonly ContentMark[], stamps: readonly IndexedIssue[]): Differences {
    return differencesOf(marks, stamps, (stamp) => this.#failed.isDue(stamp));
  }

  /**
   * The uids of those issues that still have this text and project. The texts themselves are compared: a copy that was
   * cleared may get an issue again with the same id and revision and with another text.
   */
  async #unchanged(stamps: readonly Restamp[]): Promise<ReadonlySet<string>> {
    const same = new Set<string>();
    for (let at = 0; at < stamps.length; at += TEXTS_AT_ONCE) {
      const some = stamps.slice(at, at + TEXTS_AT_ONCE);
      const ids = some.map(({ issue_id }) => issue_id);
      const texts = await this.#read(async ({ contents }) => await contents.texts(ids));
      const now = new Map(texts.map((text) => [text.uid, text]));
      for (const stamp of some) {
        const text = now.get(stamp.issue_uid);
        if (text === undefined) continue;
        if (text.body.length > LONG_TEXT) await yieldToLoop();
        if (isOf(stamp, text)) same.add(stamp.issue_uid);
      }
    }
    return same;
  }

  /** Counts an issue in another place. An issue in the backlog may have an older stamp, which does not count. */
  #move(id: number, stamped: Place | undefined, to: Place | undefined): void {
    const from = this.#backlog.has(id) ? "backlog" : stamped;
    if (from === "backlog") this.#backlog.delete(id);
    else if (from !== undefined) this.#counts[from]--;
    if (to === "backlog") this.#backlog.add(id);
    else if (to !== undefined) this.#counts[to]++;
  }

  async #read<T>(work: (reader: Reader) => Promise<T>): Promise<T> {
    return await this.#deps.store.read(work);
  }
}

/** Whether the stamp is that of the issue as it is now. */
function isOf(stamp: Restamp, { title, body, ...mark }: ContentText): boolean {
  return (
    stamp.issue_id === mark.id &&
    stamp.project_uid === mark.project_uid &&
    stamp.content_revision === mark.content_revision &&
    stamp.text_hash === hashOf(textOf({ title, body }))
  );
}

/** The last of the ids, if as many were found as were asked for, so that there may be more. */
function lastOf(ids: readonly number[]): number | undefined {
  return ids.length < AT_ONCE ? undefined : ids.at(-1);
}

/** Lets the event loop handle other work after each portion. */
async function inPortions<T>(
  all: readonly T[],
  work: (some: readonly T[]) => Promise<void>,
): Promise<void> {
  for (let at = 0; at < all.length; at += WRITTEN_AT_ONCE) {
    await work(all.slice(at, at + WRITTEN_AT_ONCE));
    await yieldToLoop();
  }
}
