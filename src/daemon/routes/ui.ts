import type { H3Event } from "h3";
import { SvcError } from "../../contract/errors.ts";
import { readUILaunchTarget as launchTarget } from "../../contract/ui-launch-target.ts";
import type { Principal, UngatedDeps } from "../../ops/deps.ts";
import type { Envelope } from "../../ops/ui/envelope.ts";
import { readUILaunchTarget } from "../../ops/ui/launch-target.ts";
import type { App } from "../app.ts";
import { bind } from "../bind.ts";
import { bindHeavyRead } from "../read-worker/bind-heavy-read.ts";
import { PAGE_OPS } from "../read-worker/ops.ts";
import type { ReadWorker } from "../read-worker/read-worker.ts";

/** Where the daemon's pages are. */
export interface WebOrigin {
  readonly origin: string;
  /** True if the settings determine the origin, so that links to it stay valid. */
  readonly stable: boolean;
}

export interface Pages {
  /** `undefined` if the daemon serves no pages. Never made from a request. */
  origin(): Promise<WebOrigin | undefined>;
}

const NO_PAGES: Pages = { origin: async () => undefined };

/** Adds the routes that answer pages (facts browser-and-auth 4 to 6). */
export function uiRoutes(
  app: App,
  deps: UngatedDeps,
  readWorker: ReadWorker | undefined,
  pages: Pages = NO_PAGES,
): void {
  for (const op of PAGE_OPS.values())
    bindHeavyRead(app, deps, readWorker, op, async (event, who, input) => {
      const envelope = await envelopeOf(app, event, who, await pages.origin());
      return { ...input, envelope };
    });
  bind(app, deps, launchTarget, async (given, who, input) => {
    const web = await pages.origin();
    const origin = web === undefined ? {} : { origin: web.origin };
    return await readUILaunchTarget(given, who, { ...input, ...origin });
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
      writable: await may(app, event, "write"),
      updates: (await may(app, event, "stream")) ? "sse" : "poll",
      actor_policy: IDENTIFIED.has(who.kind) ? "identity" : "request",
    },
    origin: web.origin,
    origin_stable: web.stable,
  };
}

/** Principals for whom the credential, and not the request, names the actor of a write. */
const IDENTIFIED: ReadonlySet<Principal["kind"]> = new Set([
  "bootstrap",
  "db_token",
  "trusted_proxy",
  "trusted_proxy_absent",
]);

async function may(app: App, event: H3Event, right: "write" | "stream"): Promise<boolean> {
  try {
    await app.host.authenticate(event, right);
    return true;
  } catch (error) {
    if (error instanceof SvcError) return false;
    throw error;
  }
}
