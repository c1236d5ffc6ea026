import { parentPort, workerData } from "node:worker_threads";
import { systemClock } from "../../base/clock.ts";
import { invariant } from "../../base/invariant.ts";
import { yieldToLoop } from "../../base/yield-to-loop.ts";
import { PastFolds } from "../../ops/past/folds.ts";
import { hasStreamedRows, jsonPieces } from "../../ops/streamed-rows.ts";
import { Tagged } from "../../ops/tagged.ts";
import { openReading } from "../../store/open.ts";
import { errorToMessage } from "../threads/worker-error.ts";
import { Backpressure, TaskEnd } from "./backpressure.ts";
import {
  PIECE_BYTES,
  type ReadOutcome,
  type ReadRequest,
  type ReadTask,
  type ReadWorkerData,
} from "./messages.ts";
import { PAGE_OPS, READ_WORKER_OPS } from "./ops.ts";

/**
 * The read worker. Each task reads one snapshot of the database on a connection of its own, and answers with JSON as
 * bytes. After each part of its JSON, a task lets the others run.
 */
const { database, settings } = workerData as ReadWorkerData;
const past = new PastFolds();
const flows = new Map<number, Backpressure>();

parentPort?.on("message", (message: ReadRequest) => {
  if ("route" in message) void carryOut(message);
  else if (message.now === "taken") flows.get(message.id)?.taken();
  else flows.get(message.id)?.leave();
});

function post(outcome: ReadOutcome): void {
  parentPort?.postMessage(outcome, "piece" in outcome ? [outcome.piece.buffer as ArrayBuffer] : []);
}

async function carryOut(task: ReadTask): Promise<void> {
  const { id } = task;
  const flow = new Backpressure();
  flows.set(id, flow);
  try {
    await answer(task, flow);
  } catch (error) {
    if (!(error instanceof TaskEnd)) post({ id, ...errorToMessage(error) });
  } finally {
    flows.delete(id);
  }
}

async function answer({ id, route, who, input }: ReadTask, flow: Backpressure): Promise<void> {
  const op = READ_WORKER_OPS.get(route) ?? PAGE_OPS.get(route);
  invariant(op !== undefined, `${route} can run in the read worker`);
  const reading = await openReading(database);
  let open = true;
  const close = async (): Promise<void> => {
    if (open) await reading.close();
    open = false;
  };
  try {
    const deps = { store: reading, past, clock: systemClock, settings, streams: true };
    const { output, headers } = withoutTag(await op.run(deps, who, input as never));
    // If the answer is complete, close the snapshot now: the client may read slowly.
    if (!hasStreamedRows(output)) await close();
    // Hold each piece back until there is another one, so that the last piece can be marked as the last. The daemon's
    // thread then knows at once if a single piece is the whole answer.
    let pending: Uint8Array | undefined;
    let first = headers;
    const postPiece = (piece: Uint8Array, last: boolean): void => {
      post({ id, piece, last, ...(first === undefined ? {} : { headers: first }) });
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
