import type { Clock } from "../base/clock.ts";
import type { EmbeddingsConfig } from "../config/embeddings.ts";
import type { EmbeddedIssue, Generation, VectorStore } from "../store/types/vectors.ts";
import { nextBatch } from "./batches.ts";
import { Embedder } from "./embedder.ts";
import { type Plan, planOf } from "./generations.ts";
import { fingerprintOf } from "./identity.ts";
import type { IssueIndex } from "./issue-index.ts";
import type { Provider } from "./provider.ts";
import type { ReadStore } from "./read-store.ts";
import { MeaningState } from "./state.ts";

/** All issues are compared this often, in case a change was missed (docs/contract/search.md#91-the-reconciler). */
export const WHOLE_MS = 300_000;
/** A sweep ends after this time or this many calls, so that a stop and idle shutdown need not wait for all work. */
const SWEEP_MS = 10_000;
const SWEEP_CALLS = 32;
/** How many issues of an old generation are removed at once. */
const DROPPED_AT_ONCE = 100;
/** The state is stored this often at most, for the other daemons on the database and for the next start. */
const STORED_EVERY_MS = 5000;
/** The wait before issues are compared again that were changed during a comparison, or whose texts were gone. */
const STUCK_MS = 1500;

export interface OpenedIndex {
  readonly vectors: VectorStore;
  readonly index: IssueIndex;
}

interface Needs {
  readonly clock: Clock;
  readonly store: ReadStore;
  readonly settings: EmbeddingsConfig;
  readonly provider: Pick<Provider, "embed">;
  /** Opens the index at the first call. */
  opened(): Promise<OpenedIndex>;
}

/** Fills the index until it has the vectors of every live issue, and removes all others. */
export class Reconciler {
  readonly #deps: Needs;
  readonly #embedder: Embedder;
  readonly state: MeaningState;
  readonly fingerprint: string;
  #comparing: Promise<Comparison> | undefined;
  #comparedAllAtMs = Number.NEGATIVE_INFINITY;
  #generationText = "";
  #stored = { atMs: Number.NEGATIVE_INFINITY, text: "" };

  constructor(deps: Needs) {
    const { clock, settings, provider } = deps;
    this.#deps = deps;
    this.fingerprint = fingerprintOf(settings);
    this.state = new MeaningState({ clock });
    this.#embedder = new Embedder({
      clock,
      settings,
      provider,
      answered: (answer) => this.state.answered(answer),
    });
  }

  /** The key was read again: the provider may be asked at once. */
  beginAgain(): void {
    this.#embedder.beginAgain();
  }

  /** Works for a bounded time. Returns the time until the next sweep. */
  async sweep(signal: AbortSignal): Promise<number> {
    const { clock } = this.#deps;
    const endMs = clock.nowMs() + SWEEP_MS;
    const lastCall = this.#embedder.calls + SWEEP_CALLS;
    const isOver = (): boolean =>
      signal.aborted || clock.nowMs() >= endMs || this.#embedder.calls >= lastCall;
    for (;;) {
      const step = await this.#step({ signal, isOver });
      if (!this.#embedder.storeFailed) this.state.works();
      await this.#store(step === "end");
      if (signal.aborted) return 0;
      if (step === "end") return this.#waitMs();
      if (step === "stuck") return STUCK_MS;
      if (isOver()) return 0;
    }
  }

  /** Lets the sweeper that has the election begin a generation anew. The active one serves until the new one is full. */
  async requestAnew(): Promise<void> {
    const { vectors } = await this.#deps.opened();
    await vectors.setMeta(REINDEX, this.#deps.clock.now());
  }

  /** Finds out what changed since the last look, for an answer that has to be true now. Sends nothing. */
  async look(signal: AbortSignal): Promise<void> {
    await this.#compare(signal);
  }

  /**
   * One batch, or what comes after the last one. `end`: nothing more can be done before the provider may be asked again.
   * `stuck`: issues must be compared again before the next batch.
   */
  async #step(round: {
    readonly signal: AbortSignal;
    isOver(): boolean;
  }): Promise<"more" | "end" | "stuck"> {
    const { opened, plan, working, isWhole } = await this.#compare(round.signal);
    if (!isWhole) return "stuck";
    const { vectors, index } = opened;
    if (index.counts.backlog === 0 && working.state !== "active") {
      await vectors.switchTo(working.id, this.#deps.clock.now());
      return "more";
    }
    const isMore = await this.#drop(vectors, plan);
    if (index.counts.backlog === 0 || this.#embedder.waitMs > 0) return isMore ? "more" : "end";
    const before = index.counts;
    const batch = await nextBatch(
      { store: this.#deps.store, vectors, index },
      working.id,
      this.#embedder.most,
    );
    const store = async (issues: readonly EmbeddedIssue[]): Promise<void> => {
      const done = index.counts.backlog;
      await index.put(working.id, issues);
      this.state.counted(index.counts, done - index.counts.backlog);
      await this.#store(false);
    };
    const goesOn = await this.#embedder.embed(batch, { ...round, store });
    if (!goesOn) return this.#embedder.waitMs > 0 ? "end" : "more";
    if (batch.length > 0 || index.counts.backlog !== before.backlog) return "more";
    // The texts of the backlog cannot be read: their issues were deleted just now.
    index.compareAllNext();
    return "stuck";
  }

  /** Only one comparison runs at a time; who asks meanwhile waits for it. */
  async #compare(signal: AbortSignal): Promise<Comparison> {
    this.#comparing ??= this.#compareNow(signal).finally(() => {
      this.#comparing = undefined;
    });
    return await this.#comparing;
  }

  async #compareNow(signal: AbortSignal): Promise<Comparison> {
    const { clock } = this.#deps;
    const opened = await this.#deps.opened();
    const { vectors, index } = opened;
    if (this.#stored.text === "") await this.#restore(vectors);
    const { plan, working } = await this.#planned(vectors);
    this.#requireSame(working, index);
    if (clock.nowMs() - this.#comparedAllAtMs >= WHOLE_MS) index.compareAllNext();
    const wasWhole = index.isCompared;
    await index.compare({ working: working.id, serving: plan.serving?.id }, signal);
    if (!wasWhole && index.isCompared) this.#comparedAllAtMs = clock.nowMs();
    if (index.isCompared) this.state.counted(index.counts, 0);
    return { opened, plan, working, isWhole: index.isCompared };
  }

  /** Finds the generation that is filled, and begins it if there is none or if a new one was requested. */
  async #planned(vectors: VectorStore) {
    const { fingerprint } = this;
    const { clock, settings } = this.#deps;
    const { model, dims } = settings;
    const isRequested = ((await vectors.meta(REINDEX)) ?? "") !== "";
    const plan = planOf(await vectors.generations(), fingerprint);
    if (plan.working !== undefined && !isRequested) return { plan, working: plan.working };
    const working = await vectors.begin({ fingerprint, model, dims }, plan.begins, clock.now());
    if (isRequested) await vectors.setMeta(REINDEX, "");
    return { plan: planOf(await vectors.generations(), fingerprint), working };
  }

  /** A file that was thrown away has other generations under the same ids. */
  #requireSame({ id, started_at }: Generation, index: IssueIndex): void {
    const text = `${id} ${started_at}`;
    if (text !== this.#generationText) index.compareAllNext();
    this.#generationText = text;
  }

  async #drop(vectors: VectorStore, { dropped: [first] }: Plan): Promise<boolean> {
    if (first === undefined) return false;
    await vectors.dropRetired(first.id, DROPPED_AT_ONCE);
    return true;
  }

  async #restore(vectors: VectorStore): Promise<void> {
    this.state.begin(await vectors.meta(STATUS));
    this.#stored = { ...this.#stored, text: "restored" };
  }

  /** Stores the state. Unless `atOnce`, not more often than every few seconds. */
  async #store(atOnce: boolean): Promise<void> {
    const nowMs = this.#deps.clock.nowMs();
    if (!atOnce && nowMs - this.#stored.atMs < STORED_EVERY_MS) return;
    const text = JSON.stringify(this.state.health);
    if (text === this.#stored.text) return;
    const { vectors } = await this.#deps.opened();
    await vectors.setMeta(STATUS, text);
    this.#stored = { atMs: nowMs, text };
  }

  #waitMs(): number {
    const untilWhole = this.#comparedAllAtMs + WHOLE_MS - this.#deps.clock.nowMs();
    const wait = this.state.health.backlog > 0 ? this.#embedder.waitMs : WHOLE_MS;
    return Math.min(Math.max(untilWhole, 0), wait);
  }
}

/** The keys of the state and of a request to begin anew, among the small facts of the index. */
export const STATUS = "status";
const REINDEX = "reindex";

interface Comparison {
  readonly opened: OpenedIndex;
  readonly plan: Plan;
  readonly working: Generation;
  /** Whether all issues were compared. */
  readonly isWhole: boolean;
}
