import type { H3Event } from "h3";
import { SvcError } from "../contract/errors.ts";
import { headerOf, SocketEvent } from "./event.ts";
import { hasSessionMark } from "./session-gate.ts";
import type { Sessions } from "./sessions.ts";

/**
 * How a route treats pages of other origins. `api`: the routes for programs and pages. `session`: those that open a
 * session, of pages only. `mint`: the one that opens a session without a token, and takes a request without an
 * `Origin`, for browsers that are part of a program. `shell`: the page itself, which other sites may link to.
 */
export type Door = "api" | "session" | "mint" | "shell";

/**
 * Refuses requests that pages of other origins send (facts browser-and-auth 3.2, steps 2 and 2a). Where no pages are
 * served, any `Origin` is refused. A GET of a page has no `Origin`, but browsers name the relation of the page.
 */
export function refuseOtherPages(event: H3Event, door: Door, sessions?: Sessions): void {
  if (door === "shell") return;
  const site = headerOf(event, "sec-fetch-site")?.trim().toLowerCase();
  const foreign = site === "cross-site" || site === "same-site";
  const origin = headerOf(event, "origin");
  if (foreign || !isAllowed(event, origin, door, sessions)) throw new SvcError("origin_forbidden");
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
  if (door === "mint" || READS.has(event.req.method)) return true;
  return door === "api" && kind === "shared-tcp" && !hasSessionMark(event, sessions);
}

const READS: ReadonlySet<string> = new Set(["GET", "HEAD"]);
