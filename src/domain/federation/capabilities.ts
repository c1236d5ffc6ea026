import { invalidField } from "../../contract/errors.ts";

/**
 * The capabilities that an enrollment may have, in the order in which people see them. People see `claim` as `lease`.
 */
const CAPABILITIES = ["pull", "push", "claim"] as const;
export type FederationCapability = (typeof CAPABILITIES)[number];

/**
 * Returns the capabilities in their canonical form: sorted, without duplicates, `claim` for `lease`
 * (docs/contract/federation.md#1-concepts). `given` is a list, or a text with commas between the names. Throws
 * `validation` if `given` names no capability or an unknown one.
 */
export function canonicalCapabilities(
  given: string | readonly string[],
): readonly FederationCapability[] {
  const items = typeof given === "string" ? given.split(",") : given;
  const named = new Set(items.map(capabilityOf));
  if (named.size === 0) throw invalidField("capabilities", `must name some of ${KNOWN}`);
  return [...named].sort();
}

function capabilityOf(text: string): FederationCapability {
  const name = text.trim() === "lease" ? "claim" : text.trim();
  const known = CAPABILITIES.find((capability) => capability === name);
  if (known === undefined) throw invalidField("capabilities", `each must be one of ${KNOWN}`);
  return known;
}

const KNOWN = "pull, push and lease (also called claim)";

/**
 * Formats the capabilities for the flag `--capabilities`, in the order in which people see them. Unknown ones come
 * last.
 */
export function capabilityFlag(capabilities: readonly string[]): string {
  const known = CAPABILITIES.filter((one) => capabilities.includes(one));
  const others = capabilities.filter((one) => !CAPABILITIES.some((each) => each === one));
  return [...known.map((one) => (one === "claim" ? "lease" : one)), ...others].join(",");
}
