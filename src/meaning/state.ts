import type { Clock } from "../base/clock.ts";
import type { health } from "../contract/health.ts";
import type { Output } from "../contract/route.ts";
import { type ProgressSample, progressOf, withSample } from "../domain/meaning/progress.ts";
import type { IndexCounts } from "./issue-index.ts";
import type { Embedded } from "./provider.ts";

/** The field `embeddings` of the daemon's health. It has a status at most, and no text of the provider. */
export type MeaningHealth = NonNullable<Output<typeof health>["embeddings"]>;

const NOTHING: MeaningHealth = {
  configured: true,
  embedded: 0,
  skipped: 0,
  backlog: 0,
  error_present: false,
};

/** What health tells of the provider and of the work that is left. */
export class MeaningState {
  readonly #clock: Clock;
  #health = NOTHING;
  #samples: readonly ProgressSample[] = [];
  /** Whether the last call of the provider failed. */
  #providerFailed = false;

  constructor({ clock }: { readonly clock: Clock }) {
    this.#clock = clock;
  }

  get health(): MeaningHealth {
    return this.#health;
  }

  answered(answer: Embedded): void {
    if ("fault" in answer && answer.fault === "stopped") return;
    const { last_error_status: _, ...others } = this.#health;
    this.#providerFailed = !("vectors" in answer);
    const error_present = this.#providerFailed || others.index_failed === true;
    this.#health = {
      ...others,
      error_present,
      ...("vectors" in answer ? { last_success_at: this.#clock.now() } : {}),
      ...("status" in answer ? { last_error_status: answer.status } : {}),
    };
  }

  /** The index cannot be read or written, as when the disk is full. No answer of the provider ends this. */
  failed(): void {
    this.#health = { ...this.#health, error_present: true, index_failed: true };
  }

  /** The index can be used again. */
  works(): void {
    const { index_failed, ...others } = this.#health;
    if (index_failed === true) this.#health = { ...others, error_present: this.#providerFailed };
  }

  /** Takes over the counts. `done` issues were embedded or refused since the last call. */
  counted(counts: IndexCounts, done: number): void {
    const {
      started_at = this.#clock.now(),
      last_progress_at,
      rate_per_second: _,
      eta_seconds: __,
      ...others
    } = this.#health;
    if (counts.backlog === 0) {
      this.#samples = [];
      this.#health = { ...others, ...counts };
      return;
    }
    this.#sample(done);
    const progress = done > 0 ? this.#clock.now() : last_progress_at;
    this.#health = {
      ...others,
      ...counts,
      started_at,
      ...(progress === undefined ? {} : { last_progress_at: progress }),
      ...progressOf(this.#samples, counts.backlog, this.#clock.nowMs()),
    };
  }

  /** Takes over what was written before this daemon began to fill the index. Its own progress begins now. */
  begin(text: string | undefined): void {
    this.restore(text);
    const {
      started_at: _,
      last_progress_at: __,
      rate_per_second: ___,
      eta_seconds: ____,
      ...others
    } = this.#health;
    this.#health = others;
    this.#samples = [];
  }

  /** Takes over what another daemon wrote. */
  restore(text: string | undefined): void {
    if (text === undefined) return;
    this.#health = { ...NOTHING, ...(JSON.parse(text) as MeaningHealth) };
    const { error_present, index_failed, last_error_status } = this.#health;
    this.#providerFailed =
      error_present && (index_failed !== true || last_error_status !== undefined);
  }

  #sample(done: number): void {
    const last = this.#samples.at(-1);
    if (last !== undefined && done === 0) return;
    const sample = { at: this.#clock.nowMs(), done: (last?.done ?? 0) + done };
    this.#samples = withSample(this.#samples, sample);
  }
}
