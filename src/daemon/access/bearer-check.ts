import { equalDigests } from "../../base/equal-digests.ts";
import { sha256Hex } from "../../base/hash.ts";
import type { Mode } from "../../domain/access/modes.ts";
import { takesToken } from "../../domain/access/requests.ts";
import type { TokenLookup } from "../../ops/tokens/resolve.ts";
import { utf8Of } from "../requests/header-text.ts";

export type KnownToken = NonNullable<Awaited<ReturnType<TokenLookup>>>;

export type BearerCheck =
  | { readonly bearer: "wrong" }
  | { readonly bearer: "configured" }
  | { readonly bearer: "database"; readonly known: KnownToken; readonly hash: string };

/** Returns a promise only if the token must be looked up in the database. */
export type CheckToken = (sent: string) => BearerCheck | Promise<BearerCheck>;

const WRONG = { bearer: "wrong" } as const;

/**
 * Returns the function that checks a token. In the modes `static` and `identity` the configured token is valid, and in
 * `identity` also the tokens in the database.
 */
export function tokenCheck(
  mode: Mode,
  token: string | undefined,
  lookup: TokenLookup | undefined,
): CheckToken {
  const digest = token === undefined ? undefined : sha256Hex(token);
  const checks = takesToken(mode);
  return (sent) => {
    if (!checks) return WRONG;
    const hash = sha256Hex(sent);
    if (digest !== undefined && equalDigests(hash, digest)) return { bearer: "configured" };
    if (mode !== "identity" || lookup === undefined) return WRONG;
    const checkedOf = (known: KnownToken | undefined): BearerCheck =>
      known === undefined ? WRONG : { bearer: "database", known, hash };
    const token = lookup(hash);
    return token instanceof Promise ? token.then(checkedOf) : checkedOf(token);
  };
}

/**
 * Like `CheckToken`, but for a token as Node reads it from a header, with one character for each byte. `connection` is
 * the socket of the request.
 */
export type CheckHeader = (text: string, connection: object | undefined) => ReturnType<CheckToken>;

/**
 * Returns the function that checks the tokens of requests. Clients send the same token with every request, so the last
 * valid token of each connection is remembered with the result of its check. A remembered token of the database is
 * still looked up there at each request, because it may have been revoked.
 */
export function headerCheck(check: CheckToken, lookup: TokenLookup | undefined): CheckHeader {
  const proved = new WeakMap<object, ProvedToken>();
  return (text, connection) => {
    const last = connection && proved.get(connection);
    if (last !== undefined && isEqual(last.text, text)) return recheck(last.checked, lookup);
    const keepProved = (checked: BearerCheck): BearerCheck => {
      if (connection !== undefined && checked.bearer !== "wrong")
        proved.set(connection, { text, checked });
      return checked;
    };
    const checked = check(utf8Of(text));
    return checked instanceof Promise ? checked.then(keepProved) : keepProved(checked);
  };
}

interface ProvedToken {
  readonly text: string;
  readonly checked: ValidToken;
}

type ValidToken = Exclude<BearerCheck, { readonly bearer: "wrong" }>;

function recheck(
  checked: ValidToken,
  lookup: TokenLookup | undefined,
): BearerCheck | Promise<BearerCheck> {
  if (checked.bearer === "configured") return checked;
  const recheckedOf = (known: KnownToken | undefined): BearerCheck =>
    known ? { ...checked, known } : WRONG;
  const token = lookup?.(checked.hash);
  return token instanceof Promise ? token.then(recheckedOf) : recheckedOf(token);
}

/**
 * Compares texts of the same length in constant time. Several users of a proxy may share its connection, and must not
 * learn another's token from the time that a comparison takes.
 */
function isEqual(one: string, other: string): boolean {
  if (one.length !== other.length) return false;
  let difference = 0;
  for (let at = 0; at < one.length; at++) difference |= one.charCodeAt(at) ^ other.charCodeAt(at);
  return difference === 0;
}
