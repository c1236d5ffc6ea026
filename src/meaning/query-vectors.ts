import type { Clock } from "../base/clock.ts";
import { sha256Hex } from "../base/hash.ts";
import { chunksOf } from "../domain/meaning/recipe.ts";
import type { Embedded, Provider } from "./provider.ts";

/** A search does not wait longer than this for the vector of its query (docs/contract/search.md#41-the-query). */
const QUERY_MS = 3000;
/** A call that had to wait for its turn is not begun with less time than this. */
const LEAST_CALL_MS = 1500;
/** Only a call that had this long says by its silence that the provider is slow; others began late. */
const WHOLE_CALL_MS = 2500;
/** How many vectors are remembered. */
const REMEMBERED = 100;
/** How many calls of the provider run at once. */
const AT_ONCE = 16;
/** After this many failures in a row the provider is left alone for a while, so that not each search waits for it. */
const MOST_FAILURES = 3;
const PAUSE_MS = 5000;

export type QueryVector =
  | { readonly vector: Float32Array }
  | { readonly unavailable: "provider_silent" | "provider_refused" };

interface Needs {
  readonly clock: Clock;
  readonly provider: Pick<Provider, "embed">;
  /** Identifies the model, as vectors of different models cannot be compared. */
  readonly fingerprint: string;
}

/** Embeds the texts of queries. Equal texts are embedded once, and the last vectors are remembered. */
export class QueryVectors {
  readonly #deps: Needs;
  readonly #stopped = new AbortController();
  /** By the hash of the text; those that were used last are at the end. */
  readonly #known = new Map<string, Float32Array>();
  readonly #running = new Map<string, Promise<QueryVector>>();
  readonly #waiting: (() => void)[] = [];
  #calls = 0;
  #failures = 0;
  #pausedUntilMs = Number.NEGATIVE_INFINITY;

  constructor(deps: Needs) {
    this.#deps = deps;
  }

  /** Returns the vector of the first chunk of the text within 3 s, or why there is none. */
  async of(query: string): Promise<QueryVector> {
    const text = chunksOf(query)[0]?.text ?? query;
    const key = sha256Hex(`${this.#deps.fingerprint} ${text}`);
    const known = this.#known.get(key);
    if (known !== undefined) return { vector: this.#remember(key, known) };
    const running = this.#running.get(key) ?? this.#begin(key, text);
    return await running;
  }

  stop(): void {
    this.#stopped.abort();
  }

  async #begin(key: string, text: string): Promise<QueryVector> {
    const found = this.#embed(text);
    this.#running.set(key, found);
    try {
      const answer = await found;
      if ("vector" in answer) this.#remember(key, answer.vector);
      return answer;
    } finally {
      this.#running.delete(key);
    }
  }

  async #embed(text: string): Promise<QueryVector> {
    const { clock } = this.#deps;
    const endMs = clock.nowMs() + QUERY_MS;
    if (clock.nowMs() < this.#pausedUntilMs) return SILENT;
    const over = new AbortController();
    const call = this.#inTurn(over.signal, async () => {
      const maxMs = endMs - clock.nowMs();
      if (maxMs < LEAST_CALL_MS || clock.nowMs() < this.#pausedUntilMs) return SILENT;
      const signal = AbortSignal.any([over.signal, this.#stopped.signal]);
      return this.#judged(await this.#deps.provider.embed([text], { maxMs, signal }), maxMs);
    });
    const late = clock.sleep(QUERY_MS, over.signal).then(() => SILENT);
    try {
      return await Promise.race([call, late]);
    } finally {
      over.abort();
    }
  }

  /** Runs a call when there is room for it. If `over` is aborted before, it is not run. */
  async #inTurn(over: AbortSignal, call: () => Promise<QueryVector>): Promise<QueryVector> {
    if (this.#calls >= AT_ONCE) await new Promise<void>((begin) => this.#waiting.push(begin));
    this.#calls += 1;
    try {
      return over.aborted ? SILENT : await call();
    } finally {
      this.#calls -= 1;
      this.#waiting.shift()?.();
    }
  }

  /** `maxMs`: how long the call was given. */
  #judged(answer: Embedded, maxMs: number): QueryVector {
    const [vector] = "vectors" in answer ? answer.vectors : [];
    if (vector !== undefined) {
      this.#failures = 0;
      return { vector };
    }
    if (maxMs < WHOLE_CALL_MS && isSilence(answer)) return SILENT;
    const refused = isRefusal(answer);
    this.#failures = refused ? 0 : this.#failures + 1;
    if (this.#failures >= MOST_FAILURES) {
      this.#failures = 0;
      this.#pausedUntilMs = this.#deps.clock.nowMs() + PAUSE_MS;
    }
    return refused ? { unavailable: "provider_refused" } : SILENT;
  }

  #remember(key: string, vector: Float32Array): Float32Array {
    this.#known.delete(key);
    this.#known.set(key, vector);
    for (const oldest of this.#known.keys()) {
      if (this.#known.size <= REMEMBERED) break;
      this.#known.delete(oldest);
    }
    return vector;
  }
}

const SILENT = { unavailable: "provider_silent" } as const;

/** Whether the call ended without an answer because its time was over. */
function isSilence(answer: Embedded): boolean {
  return "fault" in answer && (answer.fault === "timeout" || answer.fault === "stopped");
}

/** Whether the provider answered, but not with a vector. A provider that is overloaded counts as silent. */
function isRefusal(answer: Embedded): boolean {
  if ("fault" in answer) return answer.fault === "invalid" || answer.fault === "too_large";
  return "status" in answer && answer.status < 500 && answer.status !== 429;
}
