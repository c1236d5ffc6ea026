import { equalDigests } from "../base/equal-digests.ts";
import { sha256Hex } from "../base/hash.ts";
import type { Mode } from "../domain/access/modes.ts";
import type { TokenLookup } from "../ops/tokens/resolve.ts";

export type KnownToken = NonNullable<Awaited<ReturnType<TokenLookup>>>;

/** Which token was sent: the configured one, one that `svc tokens create` made, or one that is not valid. */
export type Checked =
  | { readonly bearer: "configured" | "wrong" }
  | { readonly bearer: "database"; readonly known: KnownToken; readonly hash: string };

/** Returns a promise only if the token must be looked up in the database. */
export type CheckToken = (sent: string) => Checked | Promise<Checked>;

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
  const checks = mode === "static" || mode === "identity";
  return (sent) => {
    if (!checks) return WRONG;
    const hash = sha256Hex(sent);
    if (digest !== undefined && equalDigests(hash, digest)) return { bearer: "configured" };
    if (mode !== "identity" || lookup === undefined) return WRONG;
    const by = (known: KnownToken | undefined): Checked =>
      known === undefined ? WRONG : { bearer: "database", known, hash };
    const found = lookup(hash);
    return found instanceof Promise ? found.then(by) : by(found);
  };
}
