import { invalidField } from "../../contract/errors.ts";
import { Actor } from "../../contract/values.ts";
import type { Right } from "../../domain/access/rights.ts";

/** Returns the actor that the proxy's header names. Refuses an invalid name only if the request is a write. */
export function proxyActor(
  header = "",
  named: string | undefined,
  right: Right,
): { readonly actor?: string } {
  const parsed = Actor().safeParse(named);
  if (parsed.success && parsed.data) return { actor: parsed.data };
  if (right !== "write") return {};
  const [issue] = parsed.error?.issues ?? [];
  throw invalidField(header, issue?.message ?? "must name the actor");
}
