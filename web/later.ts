import { type Clock, systemClock } from "../src/base/clock.ts";
import { UnavailableError } from "../src/shared/answer-errors.ts";

/** Each function loads a script that is not needed for the first rows. */
export const LATER = {
  dialogs: componentLoader(async () => (await import("./parts/dialogs/dialog.tsx")).OpenDialog),
  login: componentLoader(async () => (await import("./painters/sign-in.tsx")).Login),
  noWay: componentLoader(async () => (await import("./painters/sign-in.tsx")).NoWay),
  who: componentLoader(async () => (await import("./painters/sign-in.tsx")).Who),
  inbox: componentLoader(async () => (await import("./painters/inbox.tsx")).Inbox),
  projects: componentLoader(async () => (await import("./painters/projects.tsx")).Projects),
  graph: componentLoader(async () => (await import("./painters/graph.tsx")).Graph),
  cron: componentLoader(async () => (await import("./painters/cron.tsx")).Cron),
  fleet: componentLoader(async () => (await import("./painters/fleet.tsx")).Fleet),
  work: workModule,
};

const RETRY_MS = 2000;

/**
 * The loader of a component for React's `lazy`. If the script cannot be loaded, for example because the daemon does not
 * answer, it is requested again until it loads. If the loader failed instead, React would remove the whole page.
 */
function componentLoader<Component>(
  load: () => Promise<Component>,
): () => Promise<{ readonly default: Component }> {
  return async () => {
    for (;;) {
      try {
        return { default: await load() };
      } catch {
        await systemClock.sleep(RETRY_MS);
      }
    }
  };
}

async function workModule() {
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
  const { dialogs, work: writes, inbox, graph, cron, fleet, projects } = LATER;
  await clock.sleep(AFTER_ROWS_MS, signal);
  if (!signal.aborted) await Promise.all([dialogs(), writes()]);
  for (const screen of [inbox, graph, fleet, projects, cron]) if (!signal.aborted) await screen();
}
