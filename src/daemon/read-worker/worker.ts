import { parentPort, workerData } from "node:worker_threads";
import { systemClock } from "../../base/clock.ts";
import { openReading } from "../../store/open.ts";
import type { ReadRequest, ReadWorkerData } from "./messages.ts";
import { ReadService } from "./read-service.ts";

/** The read worker as a thread. */
const service = new ReadService(
  workerData as ReadWorkerData,
  { clock: systemClock, open: openReading },
  (message, moved) => parentPort?.postMessage(message, moved),
);
parentPort?.on("message", (message: ReadRequest) => service.take(message));
