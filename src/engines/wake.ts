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

  /** Called when a sweep begins, which serves everybody who asked until now. */
  taken(): void {
    this.#set = false;
  }

  /** Calls `end` once somebody wakes the engine; returns the function that forgets it. */
  whileAsleep(end: () => void): () => void {
    this.#end = end;
    if (this.#set) end();
    return () => {
      this.#end = undefined;
    };
  }
}
