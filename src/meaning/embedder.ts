import type { Clock } from "../base/clock.ts";
import type { EmbeddingsConfig } from "../config/embeddings.ts";
import {
  FAILURES_BEFORE_PROBE,
  FIRST_BACKOFF_MS,
  isFaultOfProvider,
  isOwnFault,
  LONGEST_BACKOFF_MS,
  nextBackoff,
  skipReasonOf,
  type Verdict,
  verdictOf,
  waitAfter,
} from "../domain/meaning/verdict.ts";
import type { EmbeddedIssue } from "../store/types/vectors.ts";
import type { Prepared } from "./batches.ts";
import { isNotElected } from "./not-elected.ts";
import type { Embedded, Provider } from "./provider.ts";

/** What stands in for texts when the provider is asked whether it refuses a text or every request. */
const HARMLESS = "text";

interface Needs {
  readonly clock: Clock;
  readonly settings: Pick<EmbeddingsConfig, "batchSize" | "timeoutMs">;
  readonly provider: Pick<Provider, "embed">;
  /** Hears of each answer. */
  answered(answer: Embedded): void;
}

/** One sweep's part of the work. */
export interface Round {
  readonly signal: AbortSignal;
  /** Whether the time or the calls of the sweep are used up. */
  isOver(): boolean;
  /** Writes what is embedded or refused. */
  store(issues: readonly EmbeddedIssue[]): Promise<void>;
}

/**
 * `refused`: the provider refuses a text, or fails at it, with this status. `smaller`: there were too many. `left`: the
 * provider takes harmless texts and not this one, and says that the fault is its own. `later`: there is nothing to do now.
 */
type Asked =
  | { readonly vectors: readonly Float32Array[] }
  | { readonly refused: number }
  | "smaller"
  | "left"
  | "later";

/** `left`: an issue could not be embedded now, but others can be. `later`: none can be. */
type Outcome = "done" | "left" | "later";

/** Sends texts to the provider, and does with its answers what docs/contract/search.md#54-after-a-failure says. */
export class Embedder {
  readonly #deps: Needs;
  #notBeforeMs = 0;
  #backoffMs = FIRST_BACKOFF_MS;
  #most: number;
  /** The vectors that an issue with several calls has so far. They stay while the provider makes a pause. */
  #begun: { readonly text_hash: string; readonly vectors: Float32Array[] } | undefined;
  #calls = 0;
  /** How many texts were refused so far. */
  #refused = 0;
  #storeFailed = false;
  /** How many calls in a row the provider answered with 5xx, apart from probes. */
  #failures = 0;

  constructor(deps: Needs) {
    this.#deps = deps;
    this.#most = deps.settings.batchSize;
  }

  /** The number of calls so far. */
  get calls(): number {
    return this.#calls;
  }

  /** The maximum number of chunks of a call: smaller than configured if the provider refused so many. */
  get most(): number {
    return this.#most;
  }

  /** Whether the last vectors could not be stored. */
  get storeFailed(): boolean {
    return this.#storeFailed;
  }

  /** The time until the provider may be asked again. */
  get waitMs(): number {
    return Math.max(0, this.#notBeforeMs - this.#deps.clock.nowMs());
  }

  /** Lets the next call begin at once and with as many chunks as configured, since the key has changed. */
  beginAgain(): void {
    this.#notBeforeMs = 0;
    this.#backoffMs = FIRST_BACKOFF_MS;
    this.#failures = 0;
    this.#most = this.#deps.settings.batchSize;
  }

  /** Embeds the issues and stores the results. Returns false if there is nothing more to do now. */
  async embed(issues: readonly Prepared[], round: Round): Promise<boolean> {
    const blank = issues.filter(({ chunks }) => chunks.length === 0);
    if (blank.length > 0)
      await this.#store(
        blank.map((issue) => doneOf(issue, [])),
        round,
      );
    const outcome = await this.#embedAll(
      issues.filter(({ chunks }) => chunks.length > 0),
      round,
    );
    return outcome === "done";
  }

  async #embedAll(issues: readonly Prepared[], round: Round): Promise<Outcome> {
    const [first, ...others] = issues;
    if (first === undefined) return "done";
    if (others.length === 0) return await this.#embedOne(first, round);
    const asked = await this.#ask(
      issues.flatMap(({ chunks }) => chunks),
      round.signal,
    );
    if (asked === "later" || asked === "left") return asked;
    if (typeof asked === "object" && "vectors" in asked) {
      await this.#store(shared(issues, asked.vectors), round);
      return "done";
    }
    const middle = Math.ceil(issues.length / 2);
    const [half, other] = [issues.slice(0, middle), issues.slice(middle)];
    const refused = this.#refused;
    const ofHalf = await this.#embedAll(half, round);
    if (ofHalf === "later") return ofHalf;
    // The text at which the provider fails may be in the other half. It need not fail there three times again.
    if (isFailure(asked)) this.#failures = FAILURES_BEFORE_PROBE;
    const ofOther = await this.#embedAll(other, round);
    if (isFailure(asked) && ofHalf === "done" && ofOther === "done" && this.#refused === refused)
      this.#lower(Math.max(...[half, other].map(chunksOf)));
    return ofHalf === "left" && ofOther === "done" ? ofHalf : ofOther;
  }

  /** Embeds an issue with as many calls as its chunks need. */
  async #embedOne(issue: Prepared, round: Round): Promise<Outcome> {
    const { text_hash, chunks } = issue;
    if (this.#begun?.text_hash !== text_hash) this.#begun = { text_hash, vectors: [] };
    const { vectors } = this.#begun;
    let most = this.#most;
    while (vectors.length < chunks.length) {
      if (vectors.length > 0 && round.isOver()) return "later";
      most = Math.min(most, this.#most);
      const inputs = chunks.slice(vectors.length, vectors.length + most);
      const asked = await this.#ask(inputs, round.signal);
      if (asked === "later" || asked === "left") return asked;
      if (asked === "smaller") continue;
      if (isFailure(asked) && inputs.length > 1) {
        // So many long texts may be too much for it, although it takes each of them.
        most = Math.floor(inputs.length / 2);
        continue;
      }
      if ("refused" in asked) {
        await this.#store([refusedOf(issue, asked.refused)], round);
        this.#refused += 1;
        this.#begun = undefined;
        this.#failures = 0;
        return "done";
      }
      vectors.push(...asked.vectors);
    }
    this.#lower(most);
    await this.#store([doneOf(issue, vectors)], round);
    this.#begun = undefined;
    return "done";
  }

  /** The provider failed at more chunks at once although it takes each of them, so later calls have at most `most`. */
  #lower(most: number): void {
    this.#most = Math.min(this.#most, most);
  }

  /** If the index cannot be written, the provider rests: each call may cost money, and its answer would be lost too. */
  async #store(issues: readonly EmbeddedIssue[], round: Round): Promise<void> {
    try {
      await round.store(issues);
      this.#storeFailed = false;
    } catch (error) {
      if (!isNotElected(error)) {
        this.#storeFailed = true;
        this.#notBeforeMs = this.#deps.clock.nowMs() + LONGEST_BACKOFF_MS;
      }
      throw error;
    }
  }

  async #ask(inputs: readonly string[], signal: AbortSignal): Promise<Asked> {
    const answer = await this.#call(inputs, signal);
    if ("vectors" in answer) {
      this.#failures = 0;
      return answer;
    }
    if (isOwnFault(answer)) this.#failures += 1;
    const verdict = verdictOf(answer, {
      backoffMs: this.#backoffMs,
      inputs: inputs.length,
      failures: this.#failures,
    });
    if (verdict === "halve") {
      this.#most = Math.max(1, Math.floor(inputs.length / 2));
      return "smaller";
    }
    if (verdict === "probe" && "status" in answer)
      return await this.#probe(answer.status, inputs, signal);
    return this.#wait(verdict);
  }

  /**
   * Asks with harmless texts, to find out whether the provider refused the texts or refuses every request. If these fail
   * too, the provider is at fault, and harmless texts are sent again after three further failures.
   */
  async #probe(status: number, inputs: readonly string[], signal: AbortSignal): Promise<Asked> {
    const backoffMs = this.#backoffMs;
    const answer = await this.#call(
      inputs.map(() => HARMLESS),
      signal,
    );
    if (!("vectors" in answer)) {
      this.#failures = 0;
      return this.#wait(waitAfter(answer, this.#backoffMs));
    }
    if (!isOwnFault({ status })) return { refused: status };
    const isFirst = this.#failures === FAILURES_BEFORE_PROBE;
    if (inputs.length > 1 && !isFirst) return { refused: status };
    return await this.#askAgain(inputs, { status, backoffMs, signal });
  }

  /** Asks with the texts once more: the provider may have recovered after it failed with `status`. */
  async #askAgain(
    inputs: readonly string[],
    of: { readonly status: number; readonly backoffMs: number; readonly signal: AbortSignal },
  ): Promise<Asked> {
    const answer = await this.#call(inputs, of.signal);
    if ("vectors" in answer) {
      this.#failures = 0;
      return answer;
    }
    if (!("status" in answer && isOwnFault(answer)))
      return this.#wait(waitAfter(answer, this.#backoffMs));
    if (inputs.length > 1) return { refused: answer.status };
    if (![of.status, answer.status].some(isFaultOfProvider)) return { refused: answer.status };
    this.#backoffMs = of.backoffMs;
    this.#wait(waitAfter(answer, this.#backoffMs));
    return "left";
  }

  async #call(inputs: readonly string[], signal: AbortSignal): Promise<Embedded> {
    const { provider, settings, answered } = this.#deps;
    this.#calls++;
    const answer = await provider.embed(inputs, { maxMs: settings.timeoutMs, signal });
    answered(answer);
    if ("vectors" in answer) this.#backoffMs = FIRST_BACKOFF_MS;
    return answer;
  }

  #wait(verdict: Verdict): "later" {
    if (typeof verdict !== "object") return "later";
    if (verdict.wait === "backoff") this.#backoffMs = nextBackoff(this.#backoffMs);
    this.#notBeforeMs = this.#deps.clock.nowMs() + verdict.ms;
    return "later";
  }
}

/** Whether the provider failed with 5xx at texts although it takes harmless ones. */
function isFailure(asked: Asked): boolean {
  return typeof asked === "object" && "refused" in asked && isOwnFault({ status: asked.refused });
}

function chunksOf(issues: readonly Prepared[]): number {
  return issues.reduce((sum, { chunks }) => sum + chunks.length, 0);
}

/** Gives each issue the vectors of its chunks. */
function shared(
  issues: readonly Prepared[],
  vectors: readonly Float32Array[],
): readonly EmbeddedIssue[] {
  let from = 0;
  return issues.map((issue) => {
    const own = vectors.slice(from, from + issue.chunks.length);
    from += own.length;
    return doneOf(issue, own);
  });
}

function doneOf(issue: Prepared, vectors: readonly Float32Array[]): EmbeddedIssue {
  return { ...stampOf(issue), state: "done", reason: null, vectors };
}

function refusedOf(issue: Prepared, status: number): EmbeddedIssue {
  return { ...stampOf(issue), state: "skipped", reason: skipReasonOf(status) ?? null, vectors: [] };
}

function stampOf({ mark: { id, uid, ...mark }, text_hash }: Prepared) {
  return { issue_id: id, issue_uid: uid, ...mark, text_hash };
}
