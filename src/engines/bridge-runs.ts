/** How many runs are under way at a time. */
export const MOST_RUNS = 4; // docs/contract/connectors.md#14-limits

/** How many of them one connector may have, so that one that hangs leaves room for the others. */
const MOST_OF_INSTANCE = 3;

/** How many a connector may have whose last run ended with a timeout. */
const MOST_OF_SLOW = 1;

/** What the runs need to know of a bridge. */
export interface RunningBridge {
  readonly uid: string;
  readonly issue_uid: string;
  readonly connector_instance: string;
}

/** The runs of bridges that are under way in this daemon, and the room for further ones. */
export class BridgeRuns {
  readonly #running = new Set<RunningBridge>();
  /** The connectors whose last run ended with a timeout. */
  readonly #slow = new Set<string>();

  get size(): number {
    return this.#running.size;
  }

  /** Whether a run works on a bridge of the issue. */
  hasIssue(issueUid: string): boolean {
    return [...this.#running].some(({ issue_uid }) => issue_uid === issueUid);
  }

  get isFull(): boolean {
    return this.size >= MOST_RUNS;
  }

  hasRoom(instance: string): boolean {
    const own = [...this.#running].filter((one) => one.connector_instance === instance);
    const most = this.#slow.has(instance) ? MOST_OF_SLOW : MOST_OF_INSTANCE;
    return !this.isFull && own.length < most;
  }

  /** The connectors that have as many runs as they may have. */
  withoutRoom(): readonly string[] {
    const instances = new Set([...this.#running].map((one) => one.connector_instance));
    return [...instances].filter((instance) => !this.hasRoom(instance));
  }

  /**
   * Counts the bridge as running until the work has ended. The work returns whether its connector was too slow, or
   * undefined if the connector was not asked.
   */
  async run(bridge: RunningBridge, work: () => Promise<boolean | undefined>): Promise<void> {
    this.#running.add(bridge);
    try {
      const isSlow = await work();
      if (isSlow === true) this.#slow.add(bridge.connector_instance);
      if (isSlow === false) this.#slow.delete(bridge.connector_instance);
    } finally {
      this.#running.delete(bridge);
    }
  }
}
