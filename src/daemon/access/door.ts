import type { H3Event } from "h3";
import { SvcError } from "../../contract/errors.ts";
import { headerOf, SocketEvent } from "../requests/event.ts";
import { hasSessionMark } from "./session-gate.ts";
import type { Sessions } from "./sessions.ts";

/**
 * The group of a route, which decides how the route treats pages of other origins.
 * - `api`: routes for programs and pages.
 * - `session`: the routes for pages only, which open and end sessions.
 * - `mint`: the route that opens a session without a token. It also accepts a request without an `Origin`, for browsers
 *   that are part of a program.
 * - `shell`: the page itself, to which other sites may link.
 */
export type Door = "api" | "session" | "mint" | "shell";

/**
 * Refuses requests that pages of other origins send (docs/contract/network-and-access.md#32-the-order-of-checks, step
 * 3). Where no pages are served, any `Origin` is refused. A GET that a page sends has no `Origin`, but its
 * `sec-fetch-site` says whether the page has another origin. The refusal names the origin of the daemon's pages. So a
 * page that was opened under another name of the same address can lead the person to that origin.
 */
export function refuseOtherPages(event: H3Event, door: Door, sessions?: Sessions): void {
  if (door === "shell") return;
  const site = headerOf(event, "sec-fetch-site")?.trim().toLowerCase();
  const foreign = site === "cross-site" || site === "same-site";
  const origin = headerOf(event, "origin");
  if (!foreign && isAllowed(event, origin, door, sessions)) return;
  const own = event instanceof SocketEvent ? event.connection.listener.origin : undefined;
  throw new SvcError("origin_forbidden", own === undefined ? {} : { origin: own });
}

function isAllowed(
  event: H3Event,
  origin: string | undefined,
  door: Door,
  sessions: Sessions | undefined,
): boolean {
  if (sessions === undefined || !(event instanceof SocketEvent)) return origin === undefined;
  const { kind, origin: own } = event.connection.listener;
  if (kind === "socket") return origin === undefined;
  if ((origin ?? "") !== "") return origin === own;
  if (door === "mint" || READ_METHODS.has(event.req.method)) return true;
  return door === "api" && kind === "shared-tcp" && !hasSessionMark(event, sessions);
}

const READ_METHODS: ReadonlySet<string> = new Set(["GET", "HEAD"]);
