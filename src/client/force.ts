import { execFileSync } from "node:child_process";
import { readFileSync, statSync } from "node:fs";
import { type Clock, instantToMs } from "../base/clock.ts";
import { processStartedMs } from "../base/process-start.ts";
import { UnavailableError } from "../shared/answer-errors.ts";
import { isAlive, type RuntimeRecord, signal } from "./record.ts";

/**
 * How long a daemon may take to end after SIGTERM. A daemon that answers needs time to finish its requests. A silent
 * daemon gets only a moment.
 */
const PATIENCE_MS = { running: 15_000, stopping: 15_000, silent: 1000 } as const;
const KILLED_MS = 5000;
const POLL_MS = 20;

/**
 * Ends a daemon that may hang. Sends SIGTERM, and SIGKILL if the process has not ended in time. Neither loses an
 * acknowledged write. Throws if it is not certain that the process is the daemon. Returns true if SIGKILL was needed.
 */
export async function endByForce(
  record: RuntimeRecord,
  state: keyof typeof PATIENCE_MS,
  clock: Clock,
): Promise<boolean> {
  const { pid } = record;
  if (state !== "running") requireDaemon(record);
  signal(pid, "SIGTERM");
  if (await hasEnded(pid, PATIENCE_MS[state], clock)) return false;
  if (!isAlive(pid)) return false;
  requireDaemon(record);
  signal(pid, "SIGKILL");
  if (await hasEnded(pid, KILLED_MS, clock)) return true;
  throw new UnavailableError(`the daemon (pid ${pid}) does not end, although it was killed`, {
    hint: "it waits for its disk or its file system; see what is wrong with them",
  });
}

async function hasEnded(pid: number, ms: number, clock: Clock): Promise<boolean> {
  const deadline = clock.nowMs() + ms;
  while (isAlive(pid)) {
    if (clock.nowMs() >= deadline) return false;
    await clock.sleep(POLL_MS);
  }
  return true;
}

/**
 * Throws unless the process with the recorded pid is the daemon. This need not be checked for a daemon that answers,
 * because its answer contains its pid.
 */
function requireDaemon(record: RuntimeRecord): void {
  if (isDaemon(record)) return;
  const { pid, address } = record;
  throw new UnavailableError(
    `the process with pid ${pid} cannot be shown to be the daemon of ${address}; it was left alone`,
    { hint: `look at it with ps -p ${pid}, and end it yourself if it is svc's` },
  );
}

/** The start time in a record may be this much earlier than the one that the operating system reports. */
const STARTED_SLACK_MS = 5000;

/**
 * Returns true if the process with the pid is the recorded daemon: it belongs to the user, has a daemon's command line,
 * and started no later than the record says. If the start time is unknown, the command line decides.
 */
export function isDaemon({ pid, started_at }: RuntimeRecord): boolean {
  const found = process.platform === "linux" ? linuxProcess(pid) : listedProcess(pid);
  if (found === undefined) return false;
  const recorded = instantToMs(started_at);
  const inTime =
    found.startedMs === undefined ||
    Number.isNaN(recorded) ||
    found.startedMs <= recorded + STARTED_SLACK_MS;
  return inTime && /\bdaemon start --foreground\b/.test(found.words);
}

interface FoundProcess {
  readonly words: string;
  readonly startedMs: number | undefined;
}

function linuxProcess(pid: number): FoundProcess | undefined {
  try {
    if (statSync(`/proc/${pid}`).uid !== process.getuid?.()) return undefined;
    const words = readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0").join(" ");
    return { words, startedMs: processStartedMs(pid) };
  } catch {
    return undefined;
  }
}

function listedProcess(pid: number): FoundProcess | undefined {
  if (process.platform === "win32") return undefined;
  try {
    const line = execFileSync("ps", ["-ww", "-o", "uid=,command=", "-p", String(pid)], {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    });
    const [uid = "", ...words] = line.trim().split(/\s+/);
    const isOurs = uid === String(process.getuid?.());
    return isOurs ? { words: words.join(" "), startedMs: undefined } : undefined;
  } catch {
    return undefined;
  }
}
