import type { Clock } from "../../base/clock.ts";
import { FailedBearers } from "../../base/failed-bearers.ts";
import { goneOf, type SocketEvent } from "../requests/event.ts";

/**
 * The most refusals that are delayed at a time. A listener accepts 2,000 connections, so delayed refusals occupy at
 * most a quarter of them.
 */
const MAX_WAITING = 500;

/**
 * Delays the refusals of wrong tokens. The delay grows with the number of wrong tokens from the same network address.
 * Listeners on which all clients have the same address do not delay refusals.
 */
export class DelayedRefusals {
  readonly #failed: FailedBearers;

  constructor(clock: Clock) {
    this.#failed = new FailedBearers(clock, MAX_WAITING);
  }

  async delay(event: SocketEvent): Promise<void> {
    const { listener, req } = event.connection;
    // Addresses do not distinguish clients here: only the owner can use the socket, and behind a proxy all clients have
    // the proxy's address.
    if (listener.kind === "socket" || listener.trustedHeader !== undefined) return;
    await this.#failed.delay(req.socket.remoteAddress ?? "", goneOf(event));
  }

  /** Sends all delayed answers, and delays no further ones. */
  stop(): void {
    this.#failed.stop();
  }
}
