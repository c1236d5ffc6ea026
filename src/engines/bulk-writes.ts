import { invariant } from "../base/invariant.ts";
import type { JsonValue } from "../base/json.ts";
import type { BulkDeps, BulkWrite } from "./bulk-write.ts";
import { deliverOccurrences } from "./cron-sweep.ts";
import { askAboutDates } from "./dates.ts";
import {
  adoptForHub,
  archiveReplica,
  beginSendingOnRejoin,
  clearForReset,
  finishForHub,
  writeHubPage,
} from "./federation.ts";
import { writeSynced } from "./issue-sync.ts";
import { endLeases } from "./leases.ts";

/** The writes of engines that the write worker may have to carry out, by their names. */
const BULK_WRITES: ReadonlyMap<string, BulkWrite> = new Map(
  [
    endLeases,
    deliverOccurrences,
    askAboutDates,
    writeSynced,
    writeHubPage,
    clearForReset,
    archiveReplica,
    adoptForHub,
    finishForHub,
    beginSendingOnRejoin,
  ].map((write) => [write.name, write as BulkWrite]),
);

export async function runBulkWrite(
  name: string,
  deps: BulkDeps,
  input: JsonValue,
): Promise<unknown> {
  const write = BULK_WRITES.get(name);
  invariant(write !== undefined, `${name} can be carried out by the thread`);
  return await write.run(deps, input as never);
}
