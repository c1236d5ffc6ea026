import type { IncomingHttpHeaders } from "node:http";
import type { VectorKind } from "./vectors.ts";

/** What the provider answers instead of vectors. */
export interface ScriptedAnswer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface SeenCall {
  readonly inputs: readonly string[];
  readonly headers: IncomingHttpHeaders;
  readonly url: string;
}

/** The state of a provider of vectors, which a test changes, and the calls that it got. */
export class ProviderState {
  dims = 768;
  kind: VectorKind = "meaning";
  /** How long each answer takes, in ms. */
  delayMs = 0;
  /** More different inputs than this in a call are refused with `statusOfMore`. */
  mostInputs = Number.POSITIVE_INFINITY;
  statusOfMore = 413;
  readonly #poison = new Map<string, number>();
  readonly #calls: SeenCall[] = [];
  #scripted: ScriptedAnswer[] = [];
  #always: ScriptedAnswer | undefined;
  #held: (() => void)[] | undefined;
  #listeners: (() => void)[] = [];
  #open = 0;
  #mostAtOnce = 0;

  behave(
    how: Partial<Pick<ProviderState, "dims" | "kind" | "delayMs" | "mostInputs" | "statusOfMore">>,
  ): void {
    Object.assign(this, how);
  }

  /** The next calls are answered so, one each. */
  next(...answers: ScriptedAnswer[]): void {
    this.#scripted.push(...answers);
  }

  /** All calls are answered so, until `always()`. */
  always(answer?: ScriptedAnswer): void {
    this.#always = answer;
  }

  /** Calls with a text that contains `part` are refused with the status; null ends this. */
  poison(part: string, status: number | null = 400): void {
    if (status === null) this.#poison.delete(part);
    else this.#poison.set(part, status);
  }

  /** Calls get no answer until `release`. */
  hold(): void {
    this.#held ??= [];
  }

  release(): void {
    const held = this.#held ?? [];
    this.#held = undefined;
    for (const go of held) go();
  }

  calls(): readonly SeenCall[] {
    return this.#calls;
  }

  inputs(): readonly string[] {
    return this.#calls.flatMap(({ inputs }) => inputs);
  }

  /** How many calls were open at the same time, at most. */
  mostAtOnce(): number {
    return this.#mostAtOnce;
  }

  begun(): void {
    this.#open += 1;
    this.#mostAtOnce = Math.max(this.#mostAtOnce, this.#open);
  }

  /** The answer was sent, or the caller has hung up. */
  ended(): void {
    this.#open -= 1;
  }

  forgetCalls(): void {
    this.#calls.length = 0;
  }

  /** Resolves when it has got this many calls. */
  async hasBeenCalled(times: number): Promise<void> {
    while (this.#calls.length < times)
      await new Promise<void>((resolve) => this.#listeners.push(resolve));
  }

  /** Notes a call. Returns the answer if it is no vectors, when it is time to answer. */
  async called(call: SeenCall): Promise<ScriptedAnswer | undefined> {
    this.#calls.push(call);
    for (const listener of this.#listeners.splice(0)) listener();
    const scripted = this.#always ?? this.#scripted.shift();
    const held = this.#held;
    if (held !== undefined) await new Promise<void>((resolve) => held.push(resolve));
    if (scripted !== undefined) return scripted;
    if (new Set(call.inputs).size > this.mostInputs) return { status: this.statusOfMore };
    for (const [part, status] of this.#poison)
      if (call.inputs.some((input) => input.includes(part))) return { status };
    return undefined;
  }
}
