import { type Clock, msToInstant } from "../base/clock.ts";
import { equalDigests } from "../base/equal-digests.ts";
import { sha256Hex } from "../base/hash.ts";
import { newSecret } from "../base/secret.ts";
import { MAX_WEB_SESSIONS } from "../contract/limits.ts";
import type { SessionKind } from "../domain/access/browser.ts";

const LIFETIME_MS = 86_400_000; // facts browser-and-auth 3.1

/** Whom a session belongs to. */
export interface Subject {
  readonly kind: SessionKind;
  readonly actor?: string;
  /** For `db_token`: the hash of the token, which every request looks up again. */
  readonly tokenHash?: string;
}

export interface Session extends Subject {
  /** The listener on which the session was opened; it counts on no other. */
  readonly listener: string;
  readonly csrfHash: string;
  readonly expiresMs: number;
  /** Aborted when the session ends before its time. */
  readonly ended: AbortController;
}

/** What the page gets. Of its secrets, only hashes stay in this process. */
export interface Opened {
  readonly session: string;
  readonly csrf: string;
  readonly expiresAt: string;
}

/** The secrets that all sessions share, made when the first session is opened. */
interface Shared {
  /** Letters and digits that tell the cookies of several daemons on one host apart. */
  readonly instance: string;
  readonly cookie: string;
  readonly cookieHash: string;
}

/**
 * The sessions of pages (facts browser-and-auth 3.1). They are in memory only, so they end with the daemon. A session
 * is a header that only its page knows, together with a cookie that all pages of the browser share: a cookie alone
 * would be sent to every port of the host, and a header alone is no use in another browser.
 */
export class Sessions {
  readonly #clock: Clock;
  /** Sessions by the hash of their header. The one that was not used for the longest time comes first. */
  readonly #open = new Map<string, Session>();
  #shared: Shared | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Where `MAX_WEB_SESSIONS` are open, the one that was not used for the longest time ends. */
  open(subject: Subject, listener: string): Opened {
    const [session, csrf] = [newSecret(), newSecret()];
    const expiresMs = this.#clock.nowMs() + LIFETIME_MS;
    const csrfHash = sha256Hex(csrf);
    for (const [hash, known] of this.#open) if (this.#isOver(known)) this.#end(hash, known);
    const [oldest] = this.#open;
    if (this.#open.size >= MAX_WEB_SESSIONS && oldest !== undefined) this.#end(...oldest);
    const ended = new AbortController();
    this.#open.set(sha256Hex(session), { ...subject, listener, csrfHash, expiresMs, ended });
    return { session, csrf, expiresAt: msToInstant(expiresMs) };
  }

  /** The session of a request, or `undefined` where the header or the cookie is missing, unknown or another's. */
  find(header: string | undefined, cookies: string | undefined, place: Place) {
    if (header === undefined || this.#shared === undefined) return undefined;
    const hash = sha256Hex(header);
    const session = this.#open.get(hash);
    if (session === undefined || session.listener !== place.id) return undefined;
    const [sent, ...others] = this.#cookiesIn(cookies, place.origin);
    if (sent === undefined || others.length > 0) return undefined;
    if (!equalDigests(sha256Hex(sent), this.#shared.cookieHash)) return undefined;
    if (this.#isOver(session)) {
      this.#end(hash, session);
      return undefined;
    }
    this.#open.delete(hash);
    this.#open.set(hash, session);
    return session;
  }

  hasCookie(cookies: string | undefined, place: Place): boolean {
    return this.#cookiesIn(cookies, place.origin).length > 0;
  }

  /** Ends a session, and with it the streams that it opened. */
  end(session: Session): void {
    for (const [hash, known] of this.#open) if (known === session) this.#end(hash, known);
  }

  /** Calls back once, when the session ends, at the latest with its time. */
  async whenOver(session: Session, gone: AbortSignal): Promise<void> {
    const left = session.expiresMs - this.#clock.nowMs();
    await this.#clock.sleep(Math.max(left, 1), AbortSignal.any([gone, session.ended.signal]));
  }

  /** The value of `Set-Cookie` for the pages of an origin. */
  setCookie(origin: string): string {
    this.#shared ??= newShared();
    return `${cookieName(this.#shared, origin)}=${this.#shared.cookie}${attributes(origin)}`;
  }

  clearCookie(origin: string): string {
    this.#shared ??= newShared();
    return `${cookieName(this.#shared, origin)}=${attributes(origin)}; Max-Age=0`;
  }

  #cookiesIn(cookies: string | undefined, origin: string): readonly string[] {
    if (cookies === undefined || this.#shared === undefined) return [];
    const begin = `${cookieName(this.#shared, origin)}=`;
    return cookies
      .split(";")
      .map((cookie) => cookie.trim())
      .filter((cookie) => cookie.startsWith(begin))
      .map((cookie) => cookie.slice(begin.length));
  }

  #isOver({ expiresMs }: Session): boolean {
    return this.#clock.nowMs() >= expiresMs;
  }

  #end(hash: string, { ended }: Session): void {
    this.#open.delete(hash);
    ended.abort();
  }
}

/** The listener of a request: its id, and the origin of its pages. */
interface Place {
  readonly id: string;
  readonly origin: string;
}

function newShared(): Shared {
  const cookie = newSecret();
  const instance = newSecret().replaceAll("-", "").replaceAll("_", "").slice(0, 16);
  return { instance, cookie, cookieHash: sha256Hex(cookie) };
}

function cookieName({ instance }: Shared, origin: string): string {
  return `${isHttps(origin) ? "__Host-" : ""}svc_session_${instance}`;
}

/** `Strict`: no request of another site carries the cookie. */
function attributes(origin: string): string {
  return `; Path=/; HttpOnly; SameSite=Strict${isHttps(origin) ? "; Secure" : ""}`;
}

function isHttps(origin: string): boolean {
  return origin.startsWith("https:");
}
