import { parentPort, workerData } from "node:worker_threads";
import { systemClock } from "../../base/clock.ts";
import { openScoring } from "./open-scoring.ts";
import type { ScoringData, ScoringRequest } from "./scoring-messages.ts";
import { ScoringService } from "./scoring-service.ts";

/** Scoring as a thread. */
const { place } = workerData as ScoringData;
const service = new ScoringService(
  { clock: systemClock, open: async () => await openScoring(place) },
  (outcome) => parentPort?.postMessage(outcome),
);
parentPort?.on("message", (request: ScoringRequest) => service.take(request));
