import type { Clock } from "../base/clock.ts";
import { yieldToLoop } from "../base/yield-to-loop.ts";
import type { Store } from "../store/types/store.ts";

interface Needs {
  readonly store: Pick<Store, "onCommit" | "read">;
  readonly clock: Clock;
  /** Returns how long to wait after a commit, in ms. Commits in that time are handled together with it. */
  waitMs(): number;
  /** Called with the copies that have events which their hubs do not have yet. */
  found(projectUids: readonly string[]): void;
}

/**
 * Finds copies that were written to, so that their hubs get the changes soon. Looks at each new event of the log once,
 * and only while this daemon has a copy that sends its events.
 */
export class UnsentWatch {
  readonly #needs: Needs;
  #unsubscribe: (() => void) | undefined;
  #seenUpTo = 0;
  #isWaiting = false;

  constructor(needs: Needs) {
    this.#needs = needs;
  }

  /** Begins or ends the watch. Ignores events that are in the log when it begins: the caller sends them anyway. */
  async set(isOn: boolean): Promise<void> {
    if (!isOn) {
      this.#unsubscribe?.();
      this.#unsubscribe = undefined;
      return;
    }
    if (this.#unsubscribe !== undefined) return;
    this.#unsubscribe = this.#needs.store.onCommit((lastId) => this.#committed(lastId));
    this.#seenUpTo = await this.#needs.store.read(async ({ events }) => await events.lastId());
  }

  #committed(lastId: number): void {
    if (this.#isWaiting || lastId <= this.#seenUpTo) return;
    this.#isWaiting = true;
    // This fails if the store has been closed. Then nobody needs the result.
    void this.#look().catch(() => (this.#isWaiting = false));
  }

  async #look(): Promise<void> {
    const { store, clock, found, waitMs } = this.#needs;
    await clock.sleep(waitMs());
    this.#isWaiting = false;
    const written = new Set<string>();
    for (;;) {
      const part = await store.read(
        async ({ federation }) => await federation.projectsWithUnsent(this.#seenUpTo),
      );
      this.#seenUpTo = Math.max(this.#seenUpTo, part.upTo);
      for (const uid of part.projects) written.add(uid);
      if (part.last) break;
      await yieldToLoop();
    }
    if (written.size > 0) found([...written]);
  }
}
