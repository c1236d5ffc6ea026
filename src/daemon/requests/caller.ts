import type { Input, Route } from "../../contract/route.ts";
import type { Principal } from "../../ops/deps.ts";

/**
 * Replaces the actor of a write by the actor of the credential (docs/contract/http-api.md#15-actor).
 * - The `holder` of a lease is replaced too, because a caller could otherwise renew and release the leases of others.
 * - Fields that name somebody other than the caller stay: `owner`, the `to` of an attention request, the `of_actor` of
 *   an undo, the actor of a new token.
 * - The `actor` of a read stays, because it filters events there.
 */
export function asCaller<T extends Route>(
  { access, method }: T,
  { actor }: Principal,
  input: Input<T>,
): Input<T> {
  const isAttributed = access === "write" || (access === "connectors" && method !== "GET");
  if (actor === undefined || !isAttributed) return input;
  const body = input.body as object;
  const holder = "holder" in body ? { holder: actor } : {};
  return {
    ...input,
    query: { ...input.query, actor },
    body: { ...body, actor, ...holder } as Input<T>["body"],
  };
}
