import { parentPort, workerData } from "node:worker_threads";
import { systemClock } from "../../base/clock.ts";
import { invariant } from "../../base/invariant.ts";
import { SvcError } from "../../contract/errors.ts";
import type { ReadDeps } from "../../ops/deps.ts";
import { PastFolds } from "../../ops/past/folds.ts";
import { readOnce } from "../../store/open.ts";
import type { AsideData, AsideOutcome, AsideTask } from "./messages.ts";
import { ASIDE_OPS } from "./ops.ts";

/** The thread beside the daemon's: it reads on connections of its own and answers with the bytes of the JSON. */
const { database, settings } = workerData as AsideData;
const store: ReadDeps["store"] = { read: async (work) => await readOnce(database, work) };
const deps: ReadDeps = {
  store,
  past: new PastFolds(store),
  clock: systemClock,
  settings,
};

parentPort?.on("message", (task: AsideTask) => void answer(task));

async function answer(task: AsideTask): Promise<void> {
  const outcome = await outcomeOf(task);
  parentPort?.postMessage(outcome, "body" in outcome ? [outcome.body.buffer as ArrayBuffer] : []);
}

async function outcomeOf({ id, route, who, input }: AsideTask): Promise<AsideOutcome> {
  try {
    const op = ASIDE_OPS.get(route);
    invariant(op !== undefined, `${route} can be computed aside`);
    const output = await op(deps, who, input as never);
    return { id, body: new TextEncoder().encode(JSON.stringify(output)) };
  } catch (error) {
    if (!(error instanceof SvcError))
      return { id, fault: error instanceof Error ? (error.stack ?? error.message) : String(error) };
    const { code, data, message } = error;
    return { id, refused: { code, data, message } };
  }
}
