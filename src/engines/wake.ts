/** Lets the next sweep of an engine begin at once. A wake during a sweep counts for the next one. */
export class Wake {
  #set = false;
  #end: (() => void) | undefined;

  get isSet(): boolean {
    return this.#set;
  }

  wake(): void {
    this.#set = true;
    this.#end?.();
  }

  /** Called when a sweep begins, because the sweep does what all calls of `wake` so far asked for. */
  taken(): void {
    this.#set = false;
  }

  /** Calls `end` when somebody wakes the engine, until the returned function is called. */
  whileAsleep(end: () => void): () => void {
    this.#end = end;
    if (this.#set) end();
    return () => {
      this.#end = undefined;
    };
  }
}
