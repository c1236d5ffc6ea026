import type { Input, Route } from "../contract/route.ts";
import type { Principal } from "../ops/deps.ts";

/**
 * The request with the actor of the credential in place of the one that it names (facts http-api 1.5). Only what names
 * the caller is replaced: an `owner`, the `to` of a request for attention, the `of_actor` of an undo and the actor of a
 * new token name somebody else, and the `actor` of a read filters events. The `holder` of a lease is the caller: who
 * could name another one there could renew and release that one's leases.
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
