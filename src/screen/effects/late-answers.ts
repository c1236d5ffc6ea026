import type { Effect } from "../effect.ts";
import type { Message } from "../message.ts";

/**
 * Reads whose answer replaces data of the screen. If a later read of the same kind has been answered already, the
 * answer of an earlier read is dropped.
 */
const REPLACING: ReadonlySet<Effect["effect"]> = new Set([
  "load-auth",
  "load-projects",
  "load-inbox",
  "load-bridge",
  "load-graph",
  "load-chain",
  "load-fleet",
  "load-cron",
]);

/** Drops answers that come too late (`REPLACING`). */
export class LateAnswers {
  #reads = 0;
  /** The number of the latest read of each kind that has been answered. */
  readonly #answered = new Map<Effect["effect"], number>();

  /**
   * Returns the function that dispatches the answer of a read that begins now. If the answer comes too late, the
   * returned function drops the answer.
   */
  dropping(
    { effect }: Pick<Effect, "effect">,
    dispatch: (message: Message) => void,
  ): (message: Message) => void {
    if (!REPLACING.has(effect)) return dispatch;
    const mine = (this.#reads += 1);
    return (message) => {
      if (mine < (this.#answered.get(effect) ?? 0)) return;
      this.#answered.set(effect, mine);
      dispatch(message);
    };
  }
}
