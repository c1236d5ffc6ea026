import type { H3Event } from "h3";
import { SvcError } from "../../contract/errors.ts";
import { readUILaunchTarget as launchTarget } from "../../contract/ui-launch-target.ts";
import { actorPolicy } from "../../domain/access/browser.ts";
import type { Principal, UngatedDeps } from "../../ops/deps.ts";
import type { Envelope } from "../../ops/ui/envelope.ts";
import { readUILaunchTarget } from "../../ops/ui/launch-target.ts";
import type { Browser, WebOrigin } from "../access/browser.ts";
import type { App } from "../app.ts";
import { bind } from "../bind.ts";
import { bindHeavyRead } from "../read-worker/bind-heavy-read.ts";
import { PAGE_OPS } from "../read-worker/ops.ts";
import type { ReadWorker } from "../read-worker/read-worker.ts";

export type Pages = Pick<Browser, "origin">;

const NO_PAGES: Pages = { origin: async () => undefined };

/**
 * Adds the routes that give pages their data (docs/contract/network-and-access.md#4-the-snapshot and the two sections
 * after it).
 */
export function uiRoutes(
  app: App,
  deps: UngatedDeps,
  readWorker: ReadWorker | undefined,
  pages: Pages = NO_PAGES,
): void {
  for (const op of PAGE_OPS.values())
    bindHeavyRead(app, deps, readWorker, op, async (event, who, input) => {
      const envelope = await envelopeOf(app, event, who, await pages.origin());
      return { input: { ...input, envelope } };
    });
  bind(app, deps, launchTarget, async (opDeps, who, input) => {
    const web = await pages.origin();
    const origin = web === undefined ? {} : { origin: web.origin };
    return await readUILaunchTarget(opDeps, who, { ...input, ...origin });
  });
}

async function envelopeOf(
  app: App,
  event: H3Event,
  who: Principal,
  web: WebOrigin | undefined,
): Promise<Envelope> {
  if (web === undefined) throw new SvcError("ui_unavailable");
  return {
    capabilities: {
      writable: await isAllowed(app, event, "write"),
      updates: (await isAllowed(app, event, "stream")) ? "sse" : "poll",
      actor_policy: actorPolicy(who.kind),
    },
    origin: web.origin,
    origin_stable: web.stable,
  };
}

async function isAllowed(app: App, event: H3Event, right: "write" | "stream"): Promise<boolean> {
  try {
    await app.host.authenticate(event, right, "local");
    return true;
  } catch (error) {
    if (error instanceof SvcError) return false;
    throw error;
  }
}
