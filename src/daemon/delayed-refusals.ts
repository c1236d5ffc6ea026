import type { Clock } from "../base/clock.ts";
import { FailedBearers } from "../base/failed-bearers.ts";
import { goneOf, type SocketEvent } from "./event.ts";

/**
 * The most refusals that are delayed at a time. A listener accepts 2,000 connections, so delayed refusals occupy at
 * most a quarter of them.
 */
const MAX_WAITING = 500;

/**
 * Delays the refusals of wrong tokens, the longer the more wrong tokens came from the same network address. Listeners
 * on which all clients have the same address do not delay them.
 */
export class DelayedRefusals {
  readonly #failed: FailedBearers;

  constructor(clock: Clock) {
    this.#failed = new FailedBearers(clock, MAX_WAITING);
  }

  /** Resolves when the refusal may be sent. */
  async delay(event: SocketEvent): Promise<void> {
    const { listener, req } = event.connection;
    // On these listeners the address says nothing: only the owner can use the socket, and a proxy's address is the same
    // for everybody.
    if (listener.kind === "socket" || listener.trustedHeader !== undefined) return;
    await this.#failed.delay(req.socket.remoteAddress ?? "", goneOf(event));
  }

  /** Sends all delayed answers, and delays no further ones. */
  stop(): void {
    this.#failed.stop();
  }
}
