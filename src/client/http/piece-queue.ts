export class PieceQueue {
  readonly #pieces: Buffer[] = [];
  #ended: { readonly error: unknown } | undefined;
  #wake: () => void = ignore;
  onEmpty: () => void = ignore;

  push(piece: Buffer): number {
    const length = this.#pieces.push(piece);
    this.#wake();
    return length;
  }

  end(error?: unknown): void {
    this.#ended ??= { error };
    this.#wake();
  }

  /** Yields the pieces as they arrive. Calls `stop` when the reading ends for any reason. */
  async *read(stop: () => void): AsyncGenerator<Buffer, void, void> {
    try {
      for (;;) {
        const piece = this.#pieces.shift();
        if (piece !== undefined) yield piece;
        else if (this.#ended !== undefined) break;
        else {
          this.onEmpty();
          await new Promise<void>((resolve) => {
            this.#wake = resolve;
          });
        }
      }
      if (this.#ended.error !== undefined) throw this.#ended.error;
    } finally {
      stop();
    }
  }
}

function ignore(): void {}
