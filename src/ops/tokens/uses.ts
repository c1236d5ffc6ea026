import { type Clock, msToInstant } from "../../base/clock.ts";
import type { OpStore } from "../deps.ts";

/** How many uses one transaction writes, so that other writes do not wait long. */
const USES_PER_WRITE = 200;

/**
 * Collects in memory when tokens were used. A sweep writes the times later, so that requests do not wait for a write.
 */
export class TokenUses {
  readonly #clock: Pick<Clock, "nowMs">;
  readonly #notedMs = new Map<string, number>();

  constructor(clock: Pick<Clock, "nowMs">) {
    this.#clock = clock;
  }

  note(uid: string): void {
    this.#notedMs.set(uid, this.#clock.nowMs());
  }

  /** Writes the collected times. Keeps the stored time of a token if another daemon has written a later one. */
  async write(store: Pick<OpStore, "write">): Promise<void> {
    const noted = [...this.#notedMs];
    for (let from = 0; from < noted.length; from += USES_PER_WRITE) {
      const portion = noted.slice(from, from + USES_PER_WRITE);
      await store.write(async ({ unfolded }) => {
        for (const [token_uid, ms] of portion) {
          const last_used_at = msToInstant(ms);
          const known = await unfolded.find("api_token_use", { token_uid });
          if (known === undefined || known.last_used_at < last_used_at)
            await unfolded.put("api_token_use", { token_uid, last_used_at });
        }
      });
      // A token that was used during this write has a new time, which the next write stores.
      for (const [uid, ms] of portion) if (this.#notedMs.get(uid) === ms) this.#notedMs.delete(uid);
    }
  }
}
