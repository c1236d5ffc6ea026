import type { Clock } from "../src/base/clock.ts";
import { UnavailableError } from "../src/shared/answer-errors.ts";

/** Loads the scripts that are not needed for the first rows. Each is loaded only once. */
export const LATER = {
  dialogs: async () => ({ default: (await import("./parts/dialogs/dialog.tsx")).OpenDialog }),
  login: async () => ({ default: (await import("./painters/sign-in.tsx")).Login }),
  who: async () => ({ default: (await import("./painters/sign-in.tsx")).Who }),
  inbox: async () => ({ default: (await import("./painters/inbox.tsx")).Inbox }),
  projects: async () => ({ default: (await import("./painters/projects.tsx")).Projects }),
  graph: async () => ({ default: (await import("./painters/graph.tsx")).Graph }),
  cron: async () => ({ default: (await import("./painters/cron.tsx")).Cron }),
  fleet: async () => ({ default: (await import("./painters/fleet.tsx")).Fleet }),
  work,
};

async function work() {
  try {
    return (await import("../src/screen/effects/work.ts")).WORK;
  } catch (cause) {
    // The page may have gone offline before the script was loaded. The error is the same as for any other request.
    throw new UnavailableError("the daemon does not answer", { cause });
  }
}

/** How long the page waits before it loads further scripts, so that the first rows are drawn by then. */
const AFTER_ROWS_MS = 600;

/** Loads the scripts that the person may need next, so that they work even if the daemon no longer answers. */
export async function loadAhead(clock: Pick<Clock, "sleep">, signal: AbortSignal): Promise<void> {
  await clock.sleep(AFTER_ROWS_MS, signal);
  if (!signal.aborted) await Promise.all([LATER.dialogs(), LATER.work()]);
}
