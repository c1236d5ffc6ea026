import type { Clock } from "../../base/clock.ts";
import type { Log } from "../../base/log.ts";
import { EMBEDDINGS } from "../../meaning/engines.ts";
import { type OpenedIndex, type Reconciler, STATUS } from "../../meaning/reconciler.ts";
import type { Store } from "../../store/types/store.ts";

/** Health does not wait longer than this for a comparison. */
const LOOK_MS = 100;
/** How often a daemon without the election reads what the one with it has written. */
const REFRESHED_EVERY_MS = 5000;

interface Needs {
  readonly clock: Clock;
  readonly log: Log;
  readonly store: Pick<Store, "dialect" | "elections" | "read">;
  /** Whether nothing is embedded, because everybody may read without a token. */
  readonly readonly: boolean;
  readonly reconciler: Pick<Reconciler, "look" | "state">;
  opened(): Promise<OpenedIndex>;
}

/** Brings what health says of the index up to date. */
export class HealthUpdater {
  readonly #deps: Needs;
  readonly #stopped = new AbortController();
  #refreshedAtMs = Number.NEGATIVE_INFINITY;

  constructor(deps: Needs) {
    this.#deps = deps;
  }

  /** Ends after a moment, also if the comparison takes longer. A fault of the index is only logged. */
  async update(): Promise<void> {
    const { clock, log, readonly, reconciler } = this.#deps;
    try {
      if (readonly) await this.#countAll();
      else if (this.#isHere())
        await within(clock, LOOK_MS, async () => await reconciler.look(this.#stopped.signal));
      else await this.readElected();
    } catch (error) {
      log.debug("embeddings.not_compared", { error });
    }
  }

  /** Reads what the daemon with the election has written, unless this is the one. */
  async readElected(): Promise<void> {
    const { clock, opened, reconciler } = this.#deps;
    const nowMs = clock.nowMs();
    if (this.#isHere() || nowMs - this.#refreshedAtMs < REFRESHED_EVERY_MS) return;
    const { vectors } = await opened();
    const status = await vectors.meta(STATUS);
    if (status === undefined) return await this.#countAll();
    reconciler.state.restore(status);
    this.#refreshedAtMs = nowMs;
  }

  stop(): void {
    this.#stopped.abort();
  }

  #isHere(): boolean {
    const { store } = this.#deps;
    const elections = store.elections();
    return (
      store.dialect === "sqlite" || elections.some(({ name, here }) => here && name === EMBEDDINGS)
    );
  }

  /** Without an index all issues are left. */
  async #countAll(): Promise<void> {
    const { store, reconciler } = this.#deps;
    const backlog = await store.read(async ({ contents }) => await contents.count());
    reconciler.state.counted({ embedded: 0, skipped: 0, backlog }, 0);
  }
}

async function within(clock: Clock, ms: number, work: () => Promise<void>): Promise<void> {
  const done = new AbortController();
  try {
    await Promise.race([work(), clock.sleep(ms, done.signal)]);
  } finally {
    done.abort();
  }
}
