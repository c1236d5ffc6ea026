import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Clock } from "../base/clock.ts";
import type { Log } from "../base/log.ts";
import { Looks } from "./looks.ts";

/** A client that took nothing of its answer for so long is cut (docs/daemon.md). */
const UNREAD_MS = 30_000;
/** However steadily it reads: while its snapshot is open the database's log of changes cannot shrink. */
const LONGEST_MS = 600_000;
const LOOK_MS = 5000;

/** Whether bytes wait in a socket and none was taken since the last look. */
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

interface Watched {
  readonly progress: Progress;
  looks: number;
  stalls: number;
}

/** Cuts clients that do not read their answers: each holds a part of its answer in memory, and may hold a snapshot. */
export class UnreadAnswers {
  readonly #log: Log;
  readonly #looks: Looks;
  readonly #watched = new Map<ServerResponse, Watched>();

  constructor(clock: Clock, log: Log) {
    this.#log = log;
    this.#looks = new Looks(clock, LOOK_MS, () => this.#look());
  }

  /** Until the answer is sent or its connection gone. */
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

  #look(): boolean {
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
