import { parentPort, workerData } from "node:worker_threads";
import { systemClock } from "../../base/clock.ts";
import { systemIds } from "../../base/ids.ts";
import { openStoreAgain } from "../../store/open.ts";
import type { ToWorker, WriteWorkerData } from "./messages.ts";
import { WriteService } from "./write-service.ts";

/** The write worker as a thread. */
const service = new WriteService(
  workerData as WriteWorkerData,
  { clock: systemClock, ids: systemIds(), open: openStoreAgain },
  (message, moved) => parentPort?.postMessage(message, moved),
);
parentPort?.on("message", (message: ToWorker) => service.take(message));
