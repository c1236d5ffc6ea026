import type { EffectOf } from "../effect.ts";
import { uidOf } from "../writes/writes.ts";
import { Queue } from "./queue.ts";

const AT_ONCE = 8;

/**
 * Sends writes, and keeps those to one issue in order. What a connector takes part in has a queue of its own, since it
 * may take minutes: it holds up neither other writes, such as the pause of the bridge, nor the end of the program. A
 * reconcile goes on in the daemon without the program that asked for it.
 */
export class WriteQueues {
  readonly #issues = new Queue(AT_ONCE);
  readonly #bridges = new Queue(AT_ONCE);
  readonly #unanswered = new Set<Promise<void>>();

  async send({ id, write }: EffectOf<"write">, work: () => Promise<void>): Promise<void> {
    const key = uidOf(write) ?? `${id}`;
    if (write.act === "bridge" && write.does !== "pause") return await this.#bridges.run(key, work);
    const sent = this.#issues.run(key, work);
    this.#unanswered.add(sent);
    await sent;
    this.#unanswered.delete(sent);
  }

  /** Resolves once all writes are answered, without those that a connector takes part in. */
  async settled(): Promise<void> {
    await Promise.all(this.#unanswered);
  }
}
