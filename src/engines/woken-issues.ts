/** How many issues can wait to be run soon; further ones wait for the next scan. */
export const MOST_WOKEN = 100; // docs/contract/connectors.md#14-limits

/** The issues whose bridges are to be run soon, each once, the one that waits longest first. */
export class WokenIssues {
  readonly #uids = new Set<string>();

  get all(): readonly string[] {
    return [...this.#uids];
  }

  /** Does nothing if the queue is full. */
  add(uid: string): void {
    if (this.#uids.size < MOST_WOKEN) this.#uids.add(uid);
  }

  remove(uid: string): void {
    this.#uids.delete(uid);
  }
}
