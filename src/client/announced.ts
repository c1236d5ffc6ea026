import { watch } from "node:fs";
import type { Clock } from "../base/clock.ts";
import { runtimeDir } from "../config/paths.ts";
import type { Client } from "./client.ts";
import { isRecordName } from "./record.ts";

/**
 * Sleeps until a daemon announces itself in the runtime folder, but no longer than `ms`: whoever waits for a daemon
 * that is restarted goes on as soon as it is there. Another machine's daemon tells nobody, so there it is `ms`.
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

/** There may be no such folder yet, or nothing left to watch with: then nothing is announced. */
function watchFolder(folder: string, announce: () => void) {
  try {
    return watch(folder, (_event, name) => {
      if (name !== null && isRecordName(name)) announce();
    }).on("error", () => undefined);
  } catch {
    return undefined;
  }
}
