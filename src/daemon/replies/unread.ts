import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Clock } from "../../base/clock.ts";
import type { Log } from "../../base/log.ts";
import { Poller } from "../poller.ts";

/** A client that has received nothing of its answer for this long is disconnected (docs/daemon.md). */
const UNREAD_MS = 30_000;
/**
 * After this time a client is disconnected even if it reads: the snapshot that its answer keeps open makes the
 * write-ahead log grow.
 */
const LONGEST_MS = 600_000;
const LOOK_MS = 5000;

/** Detects a socket that has bytes to send but has sent none since the last check. */
export class Progress {
  readonly #socket: Socket;
  #written = -1;

  constructor(socket: Socket) {
    this.#socket = socket;
  }

  stalled(): boolean {
    const written = this.#socket.bytesWritten - this.#socket.writableLength;
    const stalled = this.#socket.writableLength > 0 && written === this.#written;
    this.#written = written;
    return stalled;
  }
}

interface WatchedAnswer {
  readonly progress: Progress;
  looks: number;
  stalls: number;
}

/**
 * Disconnects clients that do not read their answers. Each of them keeps a part of its answer in memory, and perhaps a
 * snapshot open.
 */
export class UnreadAnswers {
  readonly #log: Pick<Log, "info">;
  readonly #looks: Poller;
  readonly #watched = new Map<ServerResponse, WatchedAnswer>();

  constructor(clock: Clock, log: Pick<Log, "info">) {
    this.#log = log;
    this.#looks = new Poller(clock, LOOK_MS, () => this.#checkAll());
  }

  watch(res: ServerResponse): void {
    const { socket } = res.req;
    if (res.destroyed || this.#watched.has(res)) return;
    this.#watched.set(res, { progress: new Progress(socket), looks: 0, stalls: 0 });
    res.once("close", () => this.#watched.delete(res));
    this.#looks.begin();
  }

  stop(): void {
    this.#looks.stop();
  }

  #checkAll(): boolean {
    for (const [res, watched] of this.#watched) {
      watched.looks++;
      watched.stalls = watched.progress.stalled() ? watched.stalls + 1 : 0;
      const unread_ms = watched.stalls * LOOK_MS;
      const sending_ms = watched.looks * LOOK_MS;
      if (unread_ms < UNREAD_MS && sending_ms < LONGEST_MS) continue;
      this.#log.info("answer.unread", { unread_ms, sending_ms });
      res.destroy();
    }
    return this.#watched.size > 0;
  }
}

export interface Reading {
  /** How many times the reader has requested a piece. */
  readonly pulls: number;
  /** True while the reader waits for the piece that it asked for last. */
  readonly waits: boolean;
}

interface WatchDeps {
  readonly clock: Clock;
  readonly refusals: Pick<Log, "info">;
  stopping(): boolean;
}

/**
 * Watches an answer that is not sent over a socket. Resolves with `true` if the client has read nothing for too long or
 * the answer takes longer than `LONGEST_MS`, and with `false` when `ended` is aborted. While the daemon is stopping,
 * the limit for reading nothing is shorter.
 */
export async function unreadInTime(
  { clock, refusals, stopping }: WatchDeps,
  reading: Reading,
  ended: AbortSignal,
): Promise<boolean> {
  let seen = -1;
  let stalls = 0;
  for (let looks = 1; ; looks++) {
    await clock.sleep(LOOK_MS, ended);
    if (ended.aborted) return false;
    stalls = !reading.waits && reading.pulls === seen ? stalls + 1 : 0;
    seen = reading.pulls;
    const unread_ms = stalls * LOOK_MS;
    const sending_ms = looks * LOOK_MS;
    if (unread_ms < (stopping() ? LOOK_MS : UNREAD_MS) && sending_ms < LONGEST_MS) continue;
    refusals.info("answer.unread", { unread_ms, sending_ms });
    return true;
  }
}
