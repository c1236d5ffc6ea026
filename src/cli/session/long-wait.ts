import { type Clock, systemClock } from "../../base/clock.ts";
import { CommandError } from "../failure/failure.ts";
import type { ProcessContext } from "../process-context.ts";

const FIRST_MS = 2000;
const EVERY_MS = 1000;

/**
 * Waits for an answer that may take minutes, and shows the elapsed time on stderr if that is a terminal. An interrupt
 * ends the wait with an error which says that the daemon finishes the request.
 */
export async function waitLong<T>(
  { stderr }: Pick<ProcessContext, "stderr">,
  clock: Pick<Clock, "nowMs" | "sleep">,
  answer: Promise<T>,
  interrupted: Promise<void>,
): Promise<T> {
  const over = new AbortController();
  const begun = clock.nowMs();
  const show = async (): Promise<void> => {
    await clock.sleep(FIRST_MS, over.signal);
    while (!over.signal.aborted) {
      const seconds = Math.floor((clock.nowMs() - begun) / 1000);
      stderr.write(
        `${CLEAR_LINE}the daemon is at work, ${seconds} s so far (ctrl-c stops waiting)`,
      );
      await clock.sleep(EVERY_MS, over.signal);
      stderr.write(CLEAR_LINE);
    }
  };
  const shown = stderr.isTerminal ? show() : Promise.resolve();
  try {
    return await Promise.race([answer, interrupted.then(refuse)]);
  } finally {
    over.abort();
    // After an interrupt nobody awaits `answer`, so ignore its failure.
    answer.catch(() => undefined);
    await shown;
  }
}

const CLEAR_LINE = "\r\u001b[2K";

function refuse(): never {
  throw new CommandError(
    "interrupted",
    "stopped waiting; the daemon carries out what it was asked, whole or not at all",
    {
      hint: "svc events --limit 5 shows what was done; the same command again does what is missing",
    },
  );
}

/** Aborts the signal `over` after `ms` milliseconds, or never if `ms` is 0; `end` frees the timer. */
export function timeLimit(ms: number): { readonly over: AbortSignal; readonly end: () => void } {
  const [over, ended] = [new AbortController(), new AbortController()];
  if (ms > 0) void systemClock.sleep(ms, ended.signal).then(() => over.abort());
  return { over: over.signal, end: () => ended.abort() };
}

/** Resolves at the first interrupt. Created once for all requests of a command. */
export function interruption(context: Pick<ProcessContext, "onInterrupt">): Promise<void> {
  return new Promise((resolve) => context.onInterrupt(resolve));
}
