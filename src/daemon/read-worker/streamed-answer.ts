export class StreamedAnswer {
  readonly #pieces: Uint8Array[] = [];
  readonly #consumer: { taken(): void; left(): void };
  /** Complete once the first piece has arrived. */
  headers: Readonly<Record<string, string>> = {};
  #end: { readonly error?: unknown } | undefined;
  #wake: () => void = () => undefined;

  constructor(consumer: { taken(): void; left(): void }) {
    this.#consumer = consumer;
  }

  push(piece: Uint8Array, last: boolean): void {
    if (this.#end !== undefined) return;
    this.#pieces.push(piece);
    if (last) this.#end = {};
    this.#wake();
  }

  fail(error: unknown): void {
    this.#end ??= { error };
    this.#wake();
  }

  /** Resolves when there is a piece to send. Throws the worker's error if it failed before the first piece. */
  async begun(): Promise<void> {
    while (this.#pieces.length === 0 && this.#end === undefined) await this.#untilChange();
    if (this.#pieces.length === 0 && this.#end?.error !== undefined) throw this.#end.error;
  }

  get whole(): Uint8Array | undefined {
    const isWhole = this.#pieces.length === 1 && this.#end !== undefined;
    return isWhole && this.#end?.error === undefined ? this.#pieces[0] : undefined;
  }

  /**
   * Yields the answer in pieces. If the consumer stops, ends the worker's task. If the worker fails, yields the pieces
   * that have arrived and then throws the error.
   */
  async *pieces(): AsyncGenerator<Uint8Array, void, void> {
    try {
      for (;;) {
        const piece = this.#pieces.shift();
        if (piece !== undefined) {
          yield piece;
          if (this.#end === undefined) this.#consumer.taken();
        } else if (this.#end === undefined) await this.#untilChange();
        else if (this.#end.error !== undefined) throw this.#end.error;
        else return;
      }
    } finally {
      this.leave();
    }
  }

  leave(): void {
    if (this.#end !== undefined) return;
    this.#end = {};
    this.#pieces.length = 0;
    this.#consumer.left();
    this.#wake();
  }

  async #untilChange(): Promise<void> {
    await new Promise<void>((resolve) => {
      this.#wake = resolve;
    });
  }
}
