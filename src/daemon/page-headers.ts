import type { H3Event } from "h3";
import { WEB_AUTHENTICATION_HEADER, WEB_ORIGIN_HEADER } from "../contract/sessions.ts";
import { offersLocalSession } from "../domain/access/browser.ts";
import type { Browser } from "./browser.ts";
import { SocketEvent } from "./event.ts";
import type { Reply } from "./reply.ts";

/**
 * Caches must not store the answers of a listener that serves pages, because nothing that a page has shown may remain
 * after logout.
 */
const NO_STORE = "private, no-store";
const VARY = "Cookie, X-Svc-Web-Session";

/**
 * Adds to an answer on a TCP listener the headers that browsers and caches need. With a 401, they tell the page how to
 * sign in (facts browser-and-auth 3.1).
 */
export function forPages(reply: Reply, event: H3Event, browser: Browser | undefined): Reply {
  if (browser === undefined || !(event instanceof SocketEvent)) return reply;
  const { origin, pagesLocal } = event.connection.listener;
  if (origin === undefined) return reply;
  const { vary } = reply.headers;
  const signIn = {
    [WEB_ORIGIN_HEADER]: origin,
    [WEB_AUTHENTICATION_HEADER]: offersLocalSession(browser.mode, pagesLocal)
      ? "loopback"
      : "login",
  };
  return reply.with(reply.body, {
    "cache-control": NO_STORE,
    vary: vary === undefined ? VARY : `${vary}, ${VARY}`,
    ...(reply.status === 401 ? signIn : {}),
  });
}
