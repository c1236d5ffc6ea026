import { type Clock, msToInstant } from "../../base/clock.ts";
import { equalDigests } from "../../base/equal-digests.ts";
import { sha256Hex } from "../../base/hash.ts";
import { newSecret } from "../../base/secret.ts";
import { MAX_WEB_CODES, MAX_WEB_SESSIONS } from "../../contract/limits.ts";
import { Cookie } from "./cookies.ts";

const CODE_LIFETIME_MS = 60_000; // docs/contract/network-and-access.md#33-a-session-without-a-token

export interface OneTimeCode {
  readonly code: string;
  readonly expiresAt: string;
}

/**
 * Proofs that the user who runs the daemon opens a page
 * (docs/contract/network-and-access.md#33-a-session-without-a-token). The connection of a page is no proof, because a
 * forwarder that runs as this user makes every connection look like this user's. There are two proofs:
 * - A one-time code, which only the user can get from the daemon. It is worthless after its use.
 * - The cookie of a browser that has used a code, so that reloads and new tabs need no further code.
 *
 * The daemon keeps only hashes of both, and only in memory, so the proofs end with the daemon.
 */
export class Ownership {
  readonly #clock: Clock;
  /** When each valid code expires, by the hash of the code, oldest first. */
  readonly #codes = new Map<string, number>();
  /** The hashes of the browsers' cookies, least recently used first. */
  readonly #browsers = new Set<string>();
  #made: Cookie | undefined;
  /** The hash of the secret that only the owner can read from a file (`owner-file.ts`). */
  #fileHash: string | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** From now on, accepts the secret in a file as a proof. Used on systems without sockets. */
  trustFile(secret: string): void {
    this.#fileHash = sha256Hex(secret);
  }

  hasReadFile(proof: string | undefined): boolean {
    if (proof === undefined || this.#fileHash === undefined) return false;
    return equalDigests(sha256Hex(proof), this.#fileHash);
  }

  /** Makes a code. If `MAX_WEB_CODES` are valid, the oldest one ends. */
  newCode(): OneTimeCode {
    const code = newSecret();
    const expiresMs = this.#clock.nowMs() + CODE_LIFETIME_MS;
    this.#dropExpired();
    makeRoom(this.#codes, MAX_WEB_CODES);
    this.#codes.set(sha256Hex(code), expiresMs);
    return { code, expiresAt: msToInstant(expiresMs) };
  }

  /** Returns whether the code is valid. Afterwards it is not valid any more, because each code can be used once. */
  redeem(code: string): boolean {
    this.#dropExpired();
    const sent = sha256Hex(code);
    const known = [...this.#codes.keys()].find((hash) => equalDigests(hash, sent));
    return known !== undefined && this.#codes.delete(known);
  }

  /** Makes a cookie that proves that the owner uses this browser. Returns the value of `Set-Cookie`. */
  newProof(origin: string): string {
    const proof = newSecret();
    makeRoom(this.#browsers, MAX_WEB_SESSIONS);
    this.#browsers.add(sha256Hex(proof));
    return this.#cookie.set(proof, origin);
  }

  /** Whether the request comes from a browser that has used a code. `cookies` is its header `Cookie`. */
  isProven(cookies: string | undefined, origin: string): boolean {
    const [known] = this.#browsersIn(cookies, origin);
    if (known === undefined) return false;
    this.#browsers.delete(known);
    this.#browsers.add(known);
    return true;
  }

  /**
   * Makes the cookie of a browser invalid. Returns the value of `Set-Cookie` that removes the cookie, or `undefined` if
   * the request has no valid one.
   */
  forget(cookies: string | undefined, origin: string): string | undefined {
    const known = this.#browsersIn(cookies, origin);
    for (const browser of known) this.#browsers.delete(browser);
    return known.length === 0 ? undefined : this.#cookie.clear(origin);
  }

  /** The cookie is named when it is first used, because the daemon should start without loading `node:crypto`. */
  get #cookie(): Cookie {
    this.#made ??= new Cookie("proof");
    return this.#made;
  }

  #browsersIn(cookies: string | undefined, origin: string): readonly string[] {
    if (this.#browsers.size === 0) return [];
    return this.#cookie
      .valuesIn(cookies, origin)
      .map(sha256Hex)
      .filter((hash) => this.#browsers.has(hash));
  }

  #dropExpired(): void {
    const now = this.#clock.nowMs();
    for (const [hash, expiresMs] of this.#codes) if (expiresMs <= now) this.#codes.delete(hash);
  }
}

function makeRoom(
  hashes: Pick<Map<string, unknown>, "size" | "keys" | "delete">,
  most: number,
): void {
  const [oldest] = hashes.keys();
  if (hashes.size >= most && oldest !== undefined) hashes.delete(oldest);
}
