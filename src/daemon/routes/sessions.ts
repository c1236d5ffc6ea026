import type { H3Event } from "h3";
import { scopeOfAddress } from "../../config/addresses.ts";
import { invalidField, SvcError } from "../../contract/errors.ts";
import type { Input, Output, Route } from "../../contract/route.ts";
import * as contract from "../../contract/sessions.ts";
import { BASE_PATH } from "../../contract/version.ts";
import {
  localSessionRequirement,
  mayOpenLocally,
  webCapabilities,
} from "../../domain/access/browser.ts";
import type { Browser } from "../access/browser.ts";
import type { Door } from "../access/door.ts";
import { isForwarded, isOwnPeer } from "../access/peer.ts";
import { proxyActor } from "../access/proxy-actor.ts";
import { isCsrf, sessionOf } from "../access/session-gate.ts";
import type { Subject } from "../access/sessions.ts";
import type { App } from "../app.ts";
import { jsonReply, Reply } from "../replies/reply.ts";
import { requireJson } from "../requests/body.ts";
import { headerOf, incomingOf, SocketEvent } from "../requests/event.ts";
import { firstValue } from "../requests/header-text.ts";
import { parserOf } from "../requests/parse.ts";

type Opening =
  | typeof contract.createLocalWebSession
  | typeof contract.loginWebSession
  | typeof contract.proxyWebSession;

/**
 * Adds the routes that open and end sessions (docs/contract/network-and-access.md#31-opening-ending-secrets). If the
 * daemon serves no pages, they refuse every request.
 */
export function sessionRoutes(app: App): void {
  codeRoute(app);
  addOpeningRoute(app, contract.createLocalWebSession, "mint", localSubject);
  addOpeningRoute(app, contract.loginWebSession, "session", loginSubject);
  addOpeningRoute(app, contract.proxyWebSession, "session", proxySubject);
  app.on(
    contract.deleteWebSession.method,
    BASE_PATH + contract.deleteWebSession.path,
    (event) => logout(app, event),
    "session",
  );
}

/**
 * Gives a one-time code to the user who runs the daemon. The proof is the daemon's own socket, which only this user can
 * open, or the secret of a file that only this user can read. A request that says that it was forwarded proves nothing.
 */
function codeRoute(app: App): void {
  const route = contract.createWebSessionCode;
  const parse = parserOf(route);
  app.on(route.method, BASE_PATH + route.path, async (event) => {
    const { browser, log } = app.host;
    if (browser === undefined || !(event instanceof SocketEvent)) throw new SvcError("not_found");
    const { ownership, peers } = browser;
    const { listener } = event.connection;
    if (!listener.local || isForwarded(event) || !(await isOwnPeer(event, peers)))
      throw new SvcError("not_found");
    const { body } = await parse(incomingOf(event), {});
    const origin = await browser.localOrigin();
    if (origin === undefined || !(listener.own || ownership.hasReadFile(body.proof)))
      throw new SvcError("not_found");
    const { code, expiresAt } = ownership.newCode();
    log.info("session.code_given", { listener: listener.id });
    const answer: Output<typeof route> = { code, expires_at: expiresAt, origin };
    return jsonReply(route.status, answer, { "cache-control": "no-store" });
  });
}

interface SessionRequest<T extends Route> {
  readonly event: SocketEvent;
  readonly browser: Browser;
  /** Reads and checks the body. Call it after the checks that do not need the body. */
  input(): Promise<Input<T>>;
}

/** The principal for whom a request opens a session, and further cookies for its browser. */
interface AdmittedSubject {
  readonly subject: Subject;
  readonly cookies?: readonly string[];
}

function addOpeningRoute<T extends Opening>(
  app: App,
  route: T,
  door: Door,
  admit: (request: SessionRequest<T>) => Promise<AdmittedSubject>,
): void {
  const parse = parserOf(route);
  app.on(
    route.method,
    BASE_PATH + route.path,
    async (event) => {
      const { browser } = app.host;
      if (browser === undefined || !(event instanceof SocketEvent)) throw new SvcError("not_found");
      const { id, origin } = event.connection.listener;
      if (origin === undefined) throw new SvcError("not_found");
      let read: Promise<Input<T>> | undefined;
      const input = async (): Promise<Input<T>> => {
        const incoming = incomingOf(event);
        if (incoming.hasBody) requireJson(incoming);
        read ??= parse(incoming, {});
        return await read;
      };
      const { subject, cookies = [] } = await admit({ event, browser, input });
      const { body } = await input();
      const return_path = returnPath(body.return_path, origin);
      const { mode, sessions, suggestedActor } = browser;
      const { session, csrf, expiresAt } = sessions.open(subject, id);
      const { kind } = subject;
      const { writer, actor = subject.actor } = writerOf(subject, event);
      const answer: Output<Opening> = {
        session,
        csrf,
        return_path,
        ...webCapabilities(writer, mode),
        ...(actor === undefined ? {} : { actor }),
        ...(kind === "web_local" && suggestedActor !== undefined
          ? { suggested_actor: suggestedActor }
          : {}),
        expires_at: expiresAt,
      };
      app.host.log.info("session.opened", { kind, listener: id });
      return jsonReply(route.status, answer, {
        "set-cookie": [sessions.setCookie(origin), ...cookies],
      });
    },
    door,
  );
}

/**
 * The principal to whom the writes of a session are attributed. After a login with the daemon's token on a listener
 * with a trusted proxy, each request has the actor that the proxy names
 * (docs/contract/network-and-access.md#13-trusted-proxies).
 */
function writerOf(
  { kind }: Subject,
  event: SocketEvent,
): { readonly writer: Subject["kind"]; readonly actor?: string | undefined } {
  const { trustedHeader: header } = event.connection.listener;
  if (kind !== "static_token" || header === undefined) return { writer: kind };
  const name = firstValue(event, header);
  return { writer: "trusted_proxy", ...proxyActor(header, name, "read") };
}

/**
 * Opens a session without a token for the user who runs the daemon. The listener must be on loopback and must not trust
 * a proxy. If the kernel can name the user of the connection, it must be this user. Where this is not enough proof, the
 * request needs a one-time code, or the cookie of a browser that has used one. All other requests are answered as if
 * the path did not exist (docs/contract/network-and-access.md#33-a-session-without-a-token).
 */
async function localSubject({
  event,
  browser: { mode, peers, ownership },
  input,
}: SessionRequest<typeof contract.createLocalWebSession>): Promise<AdmittedSubject> {
  const { listener, req } = event.connection;
  const needs = localSessionRequirement({ ...listener, mode });
  const peer = scopeOfAddress(req.socket.remoteAddress ?? "") === "loopback" ? "loopback" : "other";
  const may = mayOpenLocally({ needs, forwarded: isForwarded(event), peer });
  if (!may || !(await isOwnPeer(event, peers))) throw new SvcError("not_found");
  const subject = { kind: "web_local", proven: true } as const;
  const { origin = "" } = listener;
  const { code } = (await input()).body;
  if (code !== undefined && ownership.redeem(code))
    return { subject, cookies: [ownership.newProof(origin)] };
  if (ownership.isProven(headerOf(event, "cookie"), origin)) return { subject };
  if (needs === "nothing") return { subject: { kind: "web_local" } };
  throw new SvcError("not_found");
}

async function loginSubject({
  browser: { mode, check },
  input,
}: SessionRequest<typeof contract.loginWebSession>): Promise<AdmittedSubject> {
  const { body } = await input();
  const checked = await check(body.token);
  switch (checked.bearer) {
    case "wrong":
      throw new SvcError("login_invalid");
    case "configured":
      return { subject: { kind: mode === "identity" ? "bootstrap" : "static_token" } };
    case "database":
      return {
        subject: { kind: "db_token", actor: checked.known.actor, tokenHash: checked.hash },
      };
  }
}

/**
 * Opens a session for the person whom a trusted proxy names. The proxy must send what a write on its listener needs:
 * the actor, and the daemon's token if there is one.
 */
async function proxySubject({ event, browser }: SessionRequest<Route>): Promise<AdmittedSubject> {
  if (event.connection.listener.trustedHeader === undefined) throw new SvcError("not_found");
  const { kind, actor } = await browser.byToken(event, "write");
  if (kind !== "trusted_proxy" || actor === undefined) throw new SvcError("not_found");
  return { subject: { kind, actor } };
}

function logout({ host: { browser, log } }: App, event: H3Event): Reply {
  const session =
    browser && event instanceof SocketEvent ? sessionOf(event, browser.sessions) : undefined;
  if (browser === undefined || session === undefined || !(event instanceof SocketEvent))
    throw new SvcError("web_session_required");
  if (!isCsrf(event, session)) throw new SvcError("csrf_invalid");
  const { sessions, ownership } = browser;
  sessions.end(session);
  const { id, origin = "" } = event.connection.listener;
  log.info("session.ended", { kind: session.kind, listener: id });
  // Also forget that this browser belongs to the owner. Otherwise it would sign in by itself after the logout.
  const forgotten = ownership.forget(headerOf(event, "cookie"), origin) ?? [];
  return new Reply(204, { "set-cookie": [sessions.clearCookie(origin), forgotten].flat() });
}

/** Accepts only a path of the same origin, because the page follows it and must not lead elsewhere. */
function returnPath(path: string | undefined, origin: string): string {
  if (path === undefined) return contract.BROWSER_ROUTE;
  const plain = /^\/(?![/\\])[^\\\p{Cc}]*$/u.test(path);
  if (plain && URL.canParse(path, origin) && new URL(path, origin).origin === origin) return path;
  throw invalidField("return_path", "must be a path of this origin, such as /svc");
}
