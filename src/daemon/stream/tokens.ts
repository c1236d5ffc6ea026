import type { Log } from "../../base/log.ts";
import type { Store } from "../../store/types/store.ts";
import type { StreamClient } from "./client.ts";

interface TokenDeps {
  readonly store: Pick<Store, "readOne" | "onCommit">;
  readonly log: Log;
}

/**
 * When a token is revoked, ends the streams that were opened with it. The token may have been revoked by another daemon
 * on the same database.
 */
export class StreamTokens {
  readonly #needs: TokenDeps;
  readonly #streams = new Map<StreamClient, number>();
  readonly #unsubscribe: () => void;
  #checking = false;
  #again = false;

  constructor(needs: TokenDeps) {
    this.#needs = needs;
    this.#unsubscribe = needs.store.onCommit(() => void this.#check());
  }

  /** Watches a stream, and checks its token now: it may have been revoked after the request was accepted. */
  watch(client: StreamClient): void {
    if (client.tokenId === undefined) return;
    this.#streams.set(client, client.tokenId);
    void this.#check();
  }

  forget(client: StreamClient): void {
    this.#streams.delete(client);
  }

  close(): void {
    this.#unsubscribe();
    this.#streams.clear();
  }

  /**
   * Checks the tokens of all streams with one statement. All commits that arrive during a check are covered by one more
   * check.
   */
  async #check(): Promise<void> {
    this.#again = true;
    if (this.#checking) return;
    this.#checking = true;
    try {
      while (this.#again && this.#streams.size > 0) {
        this.#again = false;
        await this.#cutRevoked();
      }
    } catch (error) {
      // The tokens cannot be checked, so end all streams. Their readers connect again, and are authenticated then.
      this.#needs.log.error("stream.failed", { error });
      for (const client of this.#streams.keys()) client.cut();
    } finally {
      this.#checking = false;
    }
  }

  async #cutRevoked(): Promise<void> {
    const ids = [...new Set(this.#streams.values())];
    const gone = await this.#needs.store.readOne(async ({ tokens }) => await tokens.revoked(ids));
    if (gone.length === 0) return;
    for (const [client, id] of this.#streams) if (gone.includes(id)) client.cut();
  }
}
