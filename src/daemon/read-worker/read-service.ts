import type { Clock } from "../../base/clock.ts";
import { invariant } from "../../base/invariant.ts";
import { yieldToLoop } from "../../base/yield-to-loop.ts";
import { PastFolds } from "../../ops/past/folds.ts";
import { hasStreamedRows, jsonPieces } from "../../ops/streamed-rows.ts";
import { Tagged } from "../../ops/tagged.ts";
import type { openReading } from "../../store/open.ts";
import { errorToMessage } from "../threads/worker-error.ts";
import { Backpressure, TaskEnd } from "./backpressure.ts";
import {
  PIECE_BYTES,
  type ReadOutcome,
  type ReadRequest,
  type ReadTask,
  type ReadWorkerData,
} from "./messages.ts";
import { readWorkerOp } from "./ops.ts";

export interface ReadServiceDeps {
  readonly clock: Clock;
  /** Opens the view of the database that one task reads. */
  readonly open: typeof openReading;
}

/** Sends a message to the daemon. The buffers in `moved` then belong to the daemon. */
export type PostRead = (message: ReadOutcome, moved: readonly ArrayBuffer[]) => void;

/**
 * The read worker. Each task reads one snapshot of the database on a connection of its own, and answers with JSON as
 * bytes. After each part of its JSON, a task lets the others run.
 */
export class ReadService {
  readonly #data: ReadWorkerData;
  readonly #deps: ReadServiceDeps;
  readonly #post: PostRead;
  readonly #past = new PastFolds();
  readonly #flows = new Map<number, Backpressure>();

  constructor(data: ReadWorkerData, deps: ReadServiceDeps, post: PostRead) {
    this.#data = data;
    this.#deps = deps;
    this.#post = post;
  }

  take(message: ReadRequest): void {
    if ("route" in message) void this.#carryOut(message);
    else if (message.now === "taken") this.#flows.get(message.id)?.taken();
    else this.#flows.get(message.id)?.leave();
  }

  #tell(outcome: ReadOutcome): void {
    this.#post(outcome, "piece" in outcome ? [outcome.piece.buffer as ArrayBuffer] : []);
  }

  async #carryOut(task: ReadTask): Promise<void> {
    const { id } = task;
    const flow = new Backpressure();
    this.#flows.set(id, flow);
    try {
      await this.#answer(task, flow);
    } catch (error) {
      if (!(error instanceof TaskEnd)) this.#tell({ id, ...errorToMessage(error) });
    } finally {
      this.#flows.delete(id);
    }
  }

  async #answer({ id, route, who, input }: ReadTask, flow: Backpressure): Promise<void> {
    const { database, settings } = this.#data;
    const { clock, open } = this.#deps;
    const op = readWorkerOp(route);
    invariant(op !== undefined, `${route} can run in the read worker`);
    const reading = await open(database, clock);
    let isOpen = true;
    const close = async (): Promise<void> => {
      if (isOpen) await reading.close();
      isOpen = false;
    };
    try {
      const deps = { store: reading, past: this.#past, clock, settings, streams: true };
      const { output, headers } = withoutTag(await op.run(deps, who, input as never));
      // If all rows of the answer were read, close the snapshot now, and not when a slow client has received them.
      if (!hasStreamedRows(output)) await close();
      // Hold each piece back until there is another one, so that the last piece can be marked as the last. The daemon's
      // thread then knows at once if a single piece is the whole answer.
      let pending: Uint8Array | undefined;
      let first = headers;
      const postPiece = (piece: Uint8Array, last: boolean): void => {
        this.#tell({ id, piece, last, ...(first === undefined ? {} : { headers: first }) });
        first = undefined;
      };
      for await (const text of jsonPieces(output)) {
        for (const piece of piecesOf(text)) {
          if (pending !== undefined) {
            await flow.room();
            postPiece(pending, false);
          }
          pending = piece;
        }
        // Let other tasks run, and messages from the daemon's thread arrive.
        await yieldToLoop();
      }
      await flow.room();
      postPiece(pending ?? new Uint8Array(), true);
    } finally {
      await close();
    }
  }
}

function withoutTag(output: object) {
  if (!(output instanceof Tagged)) return { output };
  invariant(output.body !== undefined, "the daemon's thread answers 304 itself");
  return { output: output.body as object, headers: { etag: output.tag } };
}

/** Splits the text into pieces. Each has memory of its own, because it is transferred to the daemon's thread. */
function* piecesOf(text: string): Generator<Uint8Array, void, void> {
  const bytes = new TextEncoder().encode(text);
  if (bytes.byteLength <= PIECE_BYTES) return yield bytes;
  for (let at = 0; at < bytes.byteLength; at += PIECE_BYTES)
    yield bytes.slice(at, at + PIECE_BYTES);
}
