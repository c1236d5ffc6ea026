import { newSecret } from "../../base/secret.ts";

/**
 * The cookies of the daemon's pages (docs/contract/network-and-access.md#31-opening-ending-secrets). Scripts do not see
 * them (`HttpOnly`), and requests from other sites do not carry them (`SameSite=Strict`). On https a cookie is also
 * tied to the host (`__Host-`).
 */
export class Cookie {
  /**
   * The name of the cookie without the prefix `__Host-`. It ends in letters and digits that make the name different for
   * each daemon on a host.
   */
  readonly #base: string;

  constructor(purpose: "session" | "proof") {
    this.#base = `svc_${purpose}_${newSecret().replaceAll(/[-_]/g, "").slice(0, 16)}`;
  }

  /** The value of `Set-Cookie` that sets the cookie. */
  set(value: string, origin: string): string {
    return `${this.#nameAt(origin)}=${value}${attributes(origin)}`;
  }

  /** The value of `Set-Cookie` that removes the cookie. */
  clear(origin: string): string {
    return `${this.set("", origin)}; Max-Age=0`;
  }

  /** All values that a request sends for the cookie. `cookies` is the request's header `Cookie`. */
  valuesIn(cookies: string | undefined, origin: string): readonly string[] {
    if (cookies === undefined) return [];
    const begin = `${this.#nameAt(origin)}=`;
    return cookies
      .split(";")
      .map((cookie) => cookie.trim())
      .filter((cookie) => cookie.startsWith(begin))
      .map((cookie) => cookie.slice(begin.length));
  }

  #nameAt(origin: string): string {
    return (isHttps(origin) ? "__Host-" : "") + this.#base;
  }
}

function attributes(origin: string): string {
  return `; Path=/; HttpOnly; SameSite=Strict${isHttps(origin) ? "; Secure" : ""}`;
}

function isHttps(origin: string): boolean {
  return origin.startsWith("https:");
}
