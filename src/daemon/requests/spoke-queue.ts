import type { Clock } from "../../base/clock.ts";
import { yieldToLoop } from "../../base/yield-to-loop.ts";
import { SvcError } from "../../contract/errors.ts";
import { ClientGone } from "./incoming.ts";

/** How many requests of spokes are carried out at the same time. */
const AT_ONCE = 4;
/** A request that has not begun after this time is refused. A spoke waits up to a minute for an answer. */
const LONGEST_WAIT_MS = 10_000;

/**
 * Carries out a few requests of spokes at the same time; the others wait in the order of their arrival. Many spokes
 * send a request at the same moment: after a restart of their hub, or when one of them has sent a change. Without this
 * queue, all these answers would be made in one turn of the event loop, and every other client would wait for them.
 */
export class SpokeQueue {
  readonly #clock: Pick<Clock, "sleep">;
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  constructor(clock: Pick<Clock, "sleep">) {
    this.#clock = clock;
  }

  /**
   * Carries out the work of a request when it is the request's turn. Throws `busy` if the request has waited too long,
   * and `ClientGone` if `gone` was aborted before the work began. In both cases the work was not carried out.
   */
  async run<T>(gone: AbortSignal, work: () => Promise<T>): Promise<T> {
    if (this.#running >= AT_ONCE) await this.#turn(gone);
    else this.#running += 1;
    try {
      if (gone.aborted) throw new ClientGone();
      await yieldToLoop();
      return await work();
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#running -= 1;
      else next();
    }
  }

  /** Resolves when another request has ended and this one may begin. */
  async #turn(gone: AbortSignal): Promise<void> {
    const ended = new AbortController();
    try {
      await new Promise<void>((resolve, reject) => {
        this.#waiting.push(resolve);
        const leave = (error: Error): void => {
          const at = this.#waiting.indexOf(resolve);
          if (at >= 0) this.#waiting.splice(at, 1);
          reject(error);
        };
        gone.addEventListener("abort", () => leave(new ClientGone()), { signal: ended.signal });
        void this.#clock.sleep(LONGEST_WAIT_MS, ended.signal).then(() => leave(tooManySpokes()));
      });
    } finally {
      ended.abort();
    }
  }
}

function tooManySpokes(): SvcError {
  const message = "too many other daemons asked this hub at the same time; nothing was carried out";
  return new SvcError("busy", { reason: "spokes" }, { message });
}
