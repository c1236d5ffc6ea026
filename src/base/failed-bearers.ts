import type { Clock } from "./clock.ts";

/** The delay of the answer to the first wrong token from an address. Each further wrong token doubles the delay. */
const FIRST_MS = 100;
const LONGEST_MS = 5000;
/** After this time without a wrong token from an address, its next delay is FIRST_MS again. */
const FORGOTTEN_MS = 60_000;
const MAX_PEERS = 1000;
/** The maximum number of answers that are delayed for one address at the same time. */
const MAX_WAITING_OF_PEER = 20;

interface FailingPeer {
  failures: number;
  lastMs: number;
  waiting: number;
}

/**
 * Delays the answers to wrong tokens, so that a program that sends them in a loop causes little load. This does not
 * protect a weak token: the answer to a right token is never delayed, so a missing answer already shows that the token
 * is wrong. Since the delay protects no secret, an answer is sent at once when too many answers are delayed already.
 */
export class FailedBearers {
  readonly #clock: Clock;
  readonly #maxWaiting: number;
  /** Peers by address; the peer whose last failure is the oldest comes first. */
  readonly #peers = new Map<string, FailingPeer>();
  readonly #stopped = new AbortController();
  #waiting = 0;

  /**
   * @param maxWaiting The maximum number of answers that are delayed at the same time, for all addresses together. Each
   * delayed answer occupies a connection, so the number should be a small part of the connections that the server
   * accepts.
   */
  constructor(clock: Clock, maxWaiting: number) {
    this.#clock = clock;
    this.#maxWaiting = maxWaiting;
  }

  /**
   * Resolves when the answer to a wrong token from `address` may be sent: after the delay, or at once when the client
   * has left (`gone`), the server stops or too many answers are delayed already.
   */
  async delay(address: string, gone: AbortSignal): Promise<void> {
    const peer = this.#countFailure(address);
    if (peer.waiting >= MAX_WAITING_OF_PEER || this.#waiting >= this.#maxWaiting) return;
    peer.waiting++;
    this.#waiting++;
    const ms = Math.min(FIRST_MS * 2 ** (peer.failures - 1), LONGEST_MS);
    await this.#clock.sleep(ms, AbortSignal.any([gone, this.#stopped.signal]));
    peer.waiting--;
    this.#waiting--;
  }

  /** Sends all delayed answers, and delays no further ones. */
  stop(): void {
    this.#stopped.abort();
  }

  #countFailure(address: string): FailingPeer {
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
