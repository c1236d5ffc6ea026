import { type Clock, msToInstant } from "../../base/clock.ts";
import type { OpStore } from "../deps.ts";

/** Uses that one transaction writes, so that other writes wait for few of them. */
const PORTION = 200;

/** Remembers when tokens were used until they are written, outside of the requests that used them. */
export class TokenUses {
  readonly #clock: Pick<Clock, "nowMs">;
  readonly #noted = new Map<string, number>();

  constructor(clock: Pick<Clock, "nowMs">) {
    this.#clock = clock;
  }

  note(uid: string): void {
    this.#noted.set(uid, this.#clock.nowMs());
  }

  /** Writes what was noted. Another daemon may have written a later use of a token; that one stays. */
  async write(store: Pick<OpStore, "write">): Promise<void> {
    const noted = [...this.#noted];
    for (let from = 0; from < noted.length; from += PORTION) {
      const portion = noted.slice(from, from + PORTION);
      await store.write(async ({ unfolded }) => {
        for (const [token_uid, ms] of portion) {
          const last_used_at = msToInstant(ms);
          const known = await unfolded.find("api_token_use", { token_uid });
          if (known === undefined || known.last_used_at < last_used_at)
            await unfolded.put("api_token_use", { token_uid, last_used_at });
        }
      });
      // A use that was noted meanwhile is later and stays for the next time.
      for (const [uid, ms] of portion) if (this.#noted.get(uid) === ms) this.#noted.delete(uid);
    }
  }
}
