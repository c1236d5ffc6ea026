import type { Clock } from "../base/clock.ts";
import { goneOf, type SocketEvent } from "./event.ts";

/** The delay of the answer to a peer's first wrong token. Each further wrong token doubles the delay. */
const FIRST_MS = 100;
const LONGEST_MS = 5000;
/** After this time without a wrong token, the delay of a peer starts at the beginning. */
const FORGOTTEN_MS = 60_000;
const MAX_PEERS = 1000;
/**
 * The most answers that are delayed for one peer, and for all peers together. A listener accepts 2,000 connections, so
 * most of them stay free.
 */
const MAX_WAITING_OF_PEER = 20;
const MAX_WAITING = 500;

interface Peer {
  failures: number;
  lastMs: number;
  waiting: number;
}

/**
 * Delays the answers to wrong tokens, so that a program that sends them in a loop causes little load. This does not
 * protect a weak token: the answer to a right token is never delayed, so a missing answer already shows that the token
 * is wrong. For the same reason, answers beyond the limits may be sent at once.
 */
export class FailedBearers {
  readonly #clock: Clock;
  /** Peers by address; the peer whose last failure is the oldest comes first. */
  readonly #peers = new Map<string, Peer>();
  readonly #stopped = new AbortController();
  #waiting = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Resolves when the refusal may be sent; at once when the client leaves or the daemon stops. */
  async delay(event: SocketEvent): Promise<void> {
    const { listener, req } = event.connection;
    // Only the owner can use the socket, and behind a proxy everybody has the proxy's address.
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

  /** Sends all delayed answers, and delays no further ones. */
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
