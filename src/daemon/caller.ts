import type { Input, Route } from "../contract/route.ts";
import type { Principal } from "../ops/deps.ts";

/**
 * Replaces the actor of a write by the actor of the credential (facts http-api 1.5). The `holder` of a lease is
 * replaced too; otherwise a caller could renew and release the leases of others. Fields that name somebody other than
 * the caller stay: `owner`, the `to` of an attention request, the `of_actor` of an undo, the actor of a new token. The
 * `actor` of a read stays too, because there it filters events.
 */
export function asCaller<T extends Route>(
  { access }: T,
  { actor }: Principal,
  input: Input<T>,
): Input<T> {
  if (actor === undefined || access !== "write") return input;
  // Every body is an object (contract/route.ts); its type does not matter here.
  const body = input.body as object;
  const holder = "holder" in body ? { holder: actor } : {};
  return {
    ...input,
    query: { ...input.query, actor },
    body: { ...body, actor, ...holder } as Input<T>["body"],
  };
}
