import { watch } from "node:fs";
import type { Clock } from "../base/clock.ts";
import { runtimeDir } from "../config/paths.ts";
import type { Client } from "./client.ts";
import { isRecordName } from "./record.ts";

/**
 * Sleeps for `ms`, or until the record of a daemon appears in the runtime folder, so that a client goes on as soon as
 * its daemon is back. For a remote daemon it always sleeps for `ms`.
 */
export async function sleepUntilAnnounced(
  { target, config }: Pick<Client, "target" | "config">,
  clock: Clock,
  ms: number,
  signal: AbortSignal,
): Promise<void> {
  if (target.kind !== "local") return await clock.sleep(ms, signal);
  const announced = new AbortController();
  const watcher = watchFolder(runtimeDir(config.home, config.dsn), () => announced.abort());
  try {
    await clock.sleep(ms, AbortSignal.any([signal, announced.signal]));
  } finally {
    watcher?.close();
  }
}

/**
 * Calls `announce` for each daemon whose record appears in the folder. Does nothing if the folder is missing or cannot
 * be watched.
 */
function watchFolder(folder: string, announce: () => void) {
  try {
    return watch(folder, (_event, name) => {
      if (name !== null && isRecordName(name)) announce();
    }).on("error", () => undefined);
  } catch {
    return undefined;
  }
}
