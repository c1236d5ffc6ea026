import { accessSync, constants } from "node:fs";
import { codeSuffix } from "../base/error-code.ts";
import { makeFolders } from "../base/folders.ts";
import type { Config } from "../config/load.ts";
import { UnavailableError } from "../shared/answer-errors.ts";
import { discover, findReady, type Search } from "./discovery.ts";
import { daemonOfOtherHome } from "./other-home.ts";
import type { Program } from "./program.ts";
import { type RuntimeRecord, readRecords, recordKey } from "./record.ts";
import { type StartedChild, spawnDaemon } from "./spawn.ts";
import { dropStartLock, takeStartLock } from "./start-lock.ts";

/**
 * If a daemon has no record in the runtime folder after this time, its start has failed
 * (docs/contract/command-line.md#45-starting-by-a-command).
 */
const WAIT_MS = 30_000;
/**
 * The number of polls at the short interval. A daemon that another client has started is ready within a tenth of a
 * second.
 */
const FIRST_POLLS = 60;
const FIRST_POLL_MS = 3;
/**
 * The interval after the first polls. It matters only while another client starts the daemon, since a daemon that this
 * process has started reports that it is ready.
 */
const POLL_MS = 50;
/**
 * If a child process has ended without an error, this is the time to wait before another child is started. A child ends
 * without an error if another process holds the database's lock. That other process may have ended since.
 */
const RETRY_MS = 1000;

/**
 * Starts the local daemon and waits until its record is in the runtime folder. Many clients may call this at the same
 * time. Each new daemon first takes the database's lock, so only one daemon serves. The others end without an error,
 * and all clients find the daemon that serves. The start lock, a file, only saves time: without it, sixty-four clients
 * would start a daemon each.
 */
export async function autostart(
  config: Config,
  program: Program,
  search: Search,
): Promise<RuntimeRecord> {
  const { clock, runtimeDir } = search;
  const { launcher } = program;
  if (launcher === undefined) throw notFromHere();
  requireFolders(config.home, runtimeDir);
  const deadline = clock.nowMs() + WAIT_MS;
  let child: StartedChild | undefined;
  try {
    for (let poll = 0; ; poll++) {
      const record = await findReady(search);
      if (record !== undefined) return record;
      if (clock.nowMs() >= deadline)
        throw startError("the daemon did not answer within 30 seconds", child, search);
      if (child === undefined) {
        if (takeStartLock(runtimeDir, clock, WAIT_MS))
          child = await spawnDaemon(config, launcher, runtimeDir);
      } else {
        const ended = child.ended();
        if (ended !== undefined && ended.code !== 0)
          throw startError("the daemon did not start", child, search);
        if (ended !== undefined && clock.nowMs() - ended.at >= RETRY_MS) {
          const other = (await discover(search)) ?? (await daemonOfOtherHome(config, search));
          if (other !== undefined) return other;
          child = await spawnDaemon(config, launcher, runtimeDir);
        }
      }
      if (child === undefined) await clock.sleep(poll < FIRST_POLLS ? FIRST_POLL_MS : POLL_MS);
      else await clock.sleep(POLL_MS, child.news.aborted ? undefined : child.news);
    }
  } finally {
    if (child !== undefined) dropStartLock(runtimeDir);
  }
}

/** Creates the folders that a daemon writes to, or throws the reason why it cannot. */
export function requireFolders(home: string, runtimeDir: string): void {
  try {
    makeFolders(home);
    makeFolders(runtimeDir);
    accessSync(runtimeDir, constants.W_OK | constants.X_OK);
  } catch (cause) {
    const code = codeSuffix(cause);
    throw new UnavailableError(
      `the daemon cannot be started: ${runtimeDir} cannot be written to${code}`,
      {
        hint: `make ${home} a folder that you can write to, or set SVC_HOME to one`,
        cause,
      },
    );
  }
}

function startError(
  what: string,
  child: StartedChild | undefined,
  search: Search,
): UnavailableError {
  const tail = child?.logTail() ?? "";
  const message = tail === "" ? what : `${what}; it said:\n${tail}`;
  return new UnavailableError(message, {
    hint: unreachableHint(search) ?? "svc daemon start --foreground shows more",
  });
}

/**
 * The hint for a failed start if a daemon still runs and holds the database, but its socket is gone. A program that
 * cleans temporary folders may have deleted the socket.
 */
function unreachableHint({ runtimeDir, dismissed }: Search): string | undefined {
  const record = readRecords(runtimeDir).find((found) => dismissed.has(recordKey(found)));
  if (record === undefined) return undefined;
  return `a daemon with pid ${record.pid} is not to be reached at ${record.address}; if it still runs, end it with kill ${record.pid}`;
}

function notFromHere(): UnavailableError {
  return new UnavailableError("no daemon is running, and this program cannot start one", {
    hint: "start it with svc daemon start",
  });
}
