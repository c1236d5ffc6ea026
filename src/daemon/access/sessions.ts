import { type Clock, msToInstant } from "../../base/clock.ts";
import { equalDigests } from "../../base/equal-digests.ts";
import { sha256Hex } from "../../base/hash.ts";
import { newSecret } from "../../base/secret.ts";
import { MAX_WEB_SESSIONS } from "../../contract/limits.ts";
import type { SessionKind } from "../../domain/access/browser.ts";
import { Cookie } from "./cookies.ts";

const LIFETIME_MS = 86_400_000; // docs/contract/network-and-access.md#31-opening-ending-secrets

export interface Subject {
  readonly kind: SessionKind;
  readonly actor?: string;
  /** True for a page without a token (`web_local`) whose browser proved that the owner uses it (`ownership.ts`). */
  readonly proven?: boolean;
  /**
   * The hash of the token with which the session was opened. Present if that is a token of the database (`db_token`),
   * which each request looks up again.
   */
  readonly tokenHash?: string;
}

export interface Session extends Subject {
  /** The listener on which the session was opened; the session is not valid on another one. */
  readonly listener: string;
  readonly csrfHash: string;
  readonly expiresMs: number;
  /** Aborted when the session ends before it expires. */
  readonly ended: AbortController;
}

/** A new session, as its page receives it. `session` and `csrf` are secrets of which the daemon keeps only hashes. */
export interface NewSession {
  readonly session: string;
  readonly csrf: string;
  readonly expiresAt: string;
}

/** The secrets that all sessions share, made when the first session is opened. */
interface SharedCookie {
  readonly cookie: Cookie;
  readonly value: string;
  readonly valueHash: string;
}

/**
 * The sessions of pages (docs/contract/network-and-access.md#31-opening-ending-secrets). They are kept in memory only,
 * so they end with the daemon. A request needs two secrets: a header that only its page knows, and a cookie that all
 * pages of the browser share. The cookie alone is not enough, because a browser sends it to every port of the host. The
 * header alone is useless in another browser.
 */
export class Sessions {
  readonly #clock: Clock;
  /** The sessions by the hash of their header, least recently used first. */
  readonly #open = new Map<string, Session>();
  #shared: SharedCookie | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Opens a session. If `MAX_WEB_SESSIONS` are open, ends the least recently used one. */
  open(subject: Subject, listener: string): NewSession {
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

  /**
   * Returns the session of a request. Returns `undefined` if no session has the request's header, if the session was
   * opened on another listener or has expired, or if the request does not have the cookie exactly once.
   */
  find(header: string | undefined, cookies: string | undefined, place: ListenerPlace) {
    if (header === undefined || this.#shared === undefined) return undefined;
    const hash = sha256Hex(header);
    const session = this.#open.get(hash);
    if (session === undefined || session.listener !== place.id) return undefined;
    const [sent, ...others] = this.#cookiesIn(cookies, place.origin);
    if (sent === undefined || others.length > 0) return undefined;
    if (!equalDigests(sha256Hex(sent), this.#shared.valueHash)) return undefined;
    if (this.#isOver(session)) {
      this.#end(hash, session);
      return undefined;
    }
    this.#open.delete(hash);
    this.#open.set(hash, session);
    return session;
  }

  hasCookie(cookies: string | undefined, place: ListenerPlace): boolean {
    return this.#cookiesIn(cookies, place.origin).length > 0;
  }

  /** Ends a session, and with it the event streams that it opened. */
  end(session: Session): void {
    for (const [hash, known] of this.#open) if (known === session) this.#end(hash, known);
  }

  /** Resolves when the session has ended, at the latest when it expires. Also resolves if `gone` is aborted. */
  async whenOver(session: Session, gone: AbortSignal): Promise<void> {
    const left = session.expiresMs - this.#clock.nowMs();
    await this.#clock.sleep(Math.max(left, 1), AbortSignal.any([gone, session.ended.signal]));
  }

  setCookie(origin: string): string {
    this.#shared ??= newShared();
    return this.#shared.cookie.set(this.#shared.value, origin);
  }

  clearCookie(origin: string): string {
    this.#shared ??= newShared();
    return this.#shared.cookie.clear(origin);
  }

  #cookiesIn(cookies: string | undefined, origin: string): readonly string[] {
    return this.#shared?.cookie.valuesIn(cookies, origin) ?? [];
  }

  #isOver({ expiresMs }: Session): boolean {
    return this.#clock.nowMs() >= expiresMs;
  }

  #end(hash: string, { ended }: Session): void {
    this.#open.delete(hash);
    ended.abort();
  }
}

interface ListenerPlace {
  readonly id: string;
  readonly origin: string;
}

function newShared(): SharedCookie {
  const value = newSecret();
  return { cookie: new Cookie("session"), value, valueHash: sha256Hex(value) };
}
