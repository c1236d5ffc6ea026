import type { Config } from "../config/load.ts";
import { daemonsOf } from "./daemons.ts";

/**
 * Whether a running daemon of this database has a TCP listener for requests, and not only its socket and its pages.
 * Undefined if no daemon runs, or if its answer does not name its listeners.
 */
export async function listensOnTcp(config: Config): Promise<boolean | undefined> {
  const found = (await daemonsOf(config)).find(({ state }) => state === "running");
  const listeners = found?.record.metadata?.listeners;
  return listeners?.some(
    ({ address, kind }) => kind !== "browser" && !address.startsWith("unix://"),
  );
}
