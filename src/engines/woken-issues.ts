/** How many issues can wait to be run soon; further ones wait for the next scan. */
export const MOST_WOKEN = 100; // docs/contract/connectors.md#14-limits

/** The issues whose bridges are to be run soon, each once, the one that waits longest first. */
export class WokenIssues {
  readonly #uids = new Set<string>();

  /** Takes all of them out. */
  take(): readonly string[] {
    const uids = [...this.#uids];
    this.#uids.clear();
    return uids;
  }

  /** Does nothing if the queue is full. */
  add(uid: string): void {
    if (this.#uids.size < MOST_WOKEN) this.#uids.add(uid);
  }
}
