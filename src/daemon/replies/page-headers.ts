import type { H3Event } from "h3";
import { WEB_AUTHENTICATION_HEADER, WEB_ORIGIN_HEADER } from "../../contract/sessions.ts";
import { localSessionRequirement } from "../../domain/access/browser.ts";
import type { Browser } from "../access/browser.ts";
import type { Door } from "../access/door.ts";
import { SocketEvent } from "../requests/event.ts";
import type { Reply } from "./reply.ts";

/**
 * Caches must not store the answers of a listener that serves pages, because nothing that a page has shown may remain
 * after logout.
 */
const NO_STORE = "private, no-store";
const VARY_HEADERS = "Cookie, X-Svc-Web-Session";

/**
 * Adds the headers that browsers and caches need to an answer on a TCP listener. A 401 also gets headers that tell the
 * page how to sign in (docs/contract/network-and-access.md#31-opening-ending-secrets), and so does the 404 for a local
 * session without the required proof.
 */
export function forPages(
  reply: Reply,
  event: H3Event,
  door: Door,
  browser: Browser | undefined,
): Reply {
  if (browser === undefined || !(event instanceof SocketEvent)) return reply;
  const { listener } = event.connection;
  const { origin } = listener;
  if (origin === undefined) return reply;
  const { vary } = reply.headers;
  const local = localSessionRequirement({ ...listener, mode: browser.mode });
  const unproven = reply.status === 404 && door === "mint" && local === "proof";
  const signIn = {
    [WEB_ORIGIN_HEADER]: origin,
    [WEB_AUTHENTICATION_HEADER]: local === "nothing" ? "loopback" : "login",
  };
  return reply.with(reply.body, {
    "cache-control": NO_STORE,
    vary: vary === undefined ? VARY_HEADERS : `${String(vary)}, ${VARY_HEADERS}`,
    ...(reply.status === 401 || unproven ? signIn : {}),
  });
}
