/**
 * What a client learned of a call.
 * - `answer`: it was carried out, and this is what it answered.
 * - `refused`: the daemon says that nothing was changed.
 * - `unknown`: it may have been carried out, may be carried out later, or never.
 */
export type Outcome<Answer> =
  | { readonly answer: Answer }
  | { readonly refused: string }
  | { readonly unknown: string };

/** One call. `invoked` and `returned` are places in one order of all such moments of a history. */
export interface Call<Input, Answer> {
  readonly client: string;
  readonly input: Input;
  readonly invoked: number;
  /** Infinity if the outcome is unknown, since the call may still be carried out at any later time. */
  readonly returned: number;
  readonly outcome: Outcome<Answer>;
}

/** Records what several clients do at the same time, in the order in which this process saw calls begin and end. */
export class History<Input, Answer> {
  readonly #calls: Call<Input, Answer>[] = [];
  #moment = 0;

  /** All calls that have ended. */
  get calls(): readonly Call<Input, Answer>[] {
    return this.#calls;
  }

  async record(
    client: string,
    input: Input,
    run: () => Promise<Outcome<Answer>>,
  ): Promise<Outcome<Answer>> {
    const invoked = ++this.#moment;
    const outcome = await run();
    const ended = ++this.#moment;
    const returned = "unknown" in outcome ? Number.POSITIVE_INFINITY : ended;
    this.#calls.push({ client, input, invoked, returned, outcome });
    return outcome;
  }
}
