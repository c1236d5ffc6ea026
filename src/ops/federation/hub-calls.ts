/**
 * The requests to hubs about a copy that run beside its passes. A leave waits for the requests that began before it.
 * The rows and fields that mark the leave prevent later requests.
 */
export class HubCalls {
  readonly #open = new Map<number, Set<Promise<unknown>>>();

  /** Runs the work as a call about the project. Does not wait for other calls. */
  async during<T>(projectId: number, work: () => Promise<T>): Promise<T> {
    const open = this.#open.get(projectId) ?? new Set();
    this.#open.set(projectId, open);
    const call = work();
    open.add(call);
    try {
      return await call;
    } finally {
      open.delete(call);
      if (open.size === 0) this.#open.delete(projectId);
    }
  }

  areOpen(projectId: number): boolean {
    return this.#open.has(projectId);
  }

  /** Resolves when the calls that are open now have ended, whether they succeeded or failed. */
  async ended(projectId: number): Promise<void> {
    await Promise.allSettled([...(this.#open.get(projectId) ?? [])]);
  }
}
