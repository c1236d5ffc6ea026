import { type Clock, systemClock } from "../src/base/clock.ts";
import { UnavailableError } from "../src/shared/answer-errors.ts";

/**
 * Each function loads a script that is not needed for the first rows. The first argument is the name of the built
 * script, which equals the name of its source file.
 */
export const LATER = {
  dialogs: componentLoader(
    "dialog",
    async () => await import("./parts/dialogs/dialog.tsx"),
    "OpenDialog",
  ),
  bridge: componentLoader(
    "bridge",
    async () => await import("./parts/detail/bridge.tsx"),
    "DetailBridge",
  ),
  login: componentLoader("sign-in", async () => await import("./painters/sign-in.tsx"), "Login"),
  noWay: componentLoader("sign-in", async () => await import("./painters/sign-in.tsx"), "NoWay"),
  who: componentLoader("sign-in", async () => await import("./painters/sign-in.tsx"), "Who"),
  inbox: componentLoader("inbox", async () => await import("./painters/inbox.tsx"), "Inbox"),
  projects: componentLoader(
    "projects",
    async () => await import("./painters/projects.tsx"),
    "Projects",
  ),
  graph: componentLoader("graph", async () => await import("./painters/graph.tsx"), "Graph"),
  cron: componentLoader("cron", async () => await import("./painters/cron.tsx"), "Cron"),
  fleet: componentLoader("fleet", async () => await import("./painters/fleet.tsx"), "Fleet"),
  work: workLoader(),
};

const RETRY_MS = 2000;

/**
 * The loader of a component for React's `lazy`. If the script cannot be loaded, for example because the daemon does not
 * answer, it is requested again until it loads. If the loader failed instead, React would remove the whole page.
 */
function componentLoader<Name extends string, Component>(
  script: string,
  load: () => Promise<{ readonly [N in Name]: Component }>,
  name: Name,
): () => Promise<{ readonly default: Component }> {
  const attempt = scriptLoader(script, load);
  return async () => {
    for (;;) {
      try {
        return { default: (await attempt())[name] };
      } catch {
        await systemClock.sleep(RETRY_MS);
      }
    }
  };
}

function workLoader() {
  const attempt = scriptLoader("work", async () => await import("../src/screen/effects/work.ts"));
  return async () => {
    try {
      return (await attempt()).WORK;
    } catch (cause) {
      // The page may have gone offline before the script was loaded. The error is the same as for any other request.
      throw new UnavailableError("the daemon does not answer", { cause });
    }
  };
}

/**
 * Returns a function that loads a script. If Chromium could not load a script, it does not request the same address
 * again. So every attempt after a failed one adds a number to the address.
 */
function scriptLoader<Script>(name: string, load: () => Promise<Script>): () => Promise<Script> {
  let failed = 0;
  return async () => {
    try {
      const address = failed === 0 ? undefined : addressOf(name);
      if (address === undefined) return await load();
      const script: Script = await import(`${address}?again=${failed}`);
      return script;
    } catch (error) {
      failed += 1;
      throw error;
    }
  };
}

/** The address of a script. It ends with a hash, so the build writes it into the page (`scripts/build/page.ts`). */
function addressOf(name: string): string | undefined {
  const named = document.querySelectorAll<HTMLMetaElement>('meta[name="later-script"]');
  const paths = [...named].map(({ content }) => content);
  return paths.find((path) => path.split("/").at(-1)?.startsWith(`${name}-`));
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
