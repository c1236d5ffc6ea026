import type { Clock } from "../base/clock.ts";
import { goneOf, type SocketEvent } from "./event.ts";

/** The answer to a peer's first wrong token waits this long, each further one twice as long as the one before. */
const FIRST_MS = 100;
const LONGEST_MS = 5000;
/** A peer that sent no wrong token for this long begins anew. */
const FORGOTTEN_MS = 60_000;
const MAX_PEERS = 1000;
/** Answers that wait for one peer, and for all; a listener has 2,000 connections. */
const MAX_WAITING_OF_PEER = 20;
const MAX_WAITING = 500;

interface Peer {
  failures: number;
  lastMs: number;
  waiting: number;
}

/**
 * Delays the answers to wrong tokens, so that a program that sends them in a loop costs little. It protects no weak
 * token: an answer to a right token is never delayed, so whoever gets no answer knows enough. That is why answers beyond
 * the bounds are sent at once.
 */
export class FailedBearers {
  readonly #clock: Clock;
  /** By address; the peer that failed longest ago comes first. */
  readonly #peers = new Map<string, Peer>();
  readonly #stopped = new AbortController();
  #waiting = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Resolves when the refusal may be sent; at once when the client leaves or the daemon stops. */
  async delay(event: SocketEvent): Promise<void> {
    const { listener, req } = event.connection;
    // The socket is the owner's alone, and behind a proxy everybody has the proxy's address.
    if (listener.kind === "socket" || listener.trustedHeader !== undefined) return;
    const peer = this.#failed(req.socket.remoteAddress ?? "");
    if (peer.waiting >= MAX_WAITING_OF_PEER || this.#waiting >= MAX_WAITING) return;
    peer.waiting++;
    this.#waiting++;
    const ms = Math.min(FIRST_MS * 2 ** (peer.failures - 1), LONGEST_MS);
    await this.#clock.sleep(ms, AbortSignal.any([goneOf(event), this.#stopped.signal]));
    peer.waiting--;
    this.#waiting--;
  }

  /** Sends what waits, and delays nothing more. */
  stop(): void {
    this.#stopped.abort();
  }

  #failed(address: string): Peer {
    const now = this.#clock.nowMs();
    const known = this.#peers.get(address);
    const peer = known ?? { failures: 0, lastMs: now, waiting: 0 };
    if (now - peer.lastMs > FORGOTTEN_MS) peer.failures = 0;
    peer.failures++;
    peer.lastMs = now;
    this.#peers.delete(address);
    this.#peers.set(address, peer);
    const [oldest] = this.#peers.keys();
    if (this.#peers.size > MAX_PEERS && oldest !== undefined) this.#peers.delete(oldest);
    return peer;
  }
}
