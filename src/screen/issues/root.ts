import type { Issue } from "./issues.ts";

/** The connector of the root, and whether the bridge to it is paused. */
export function rootText({
  connector_instance,
  enabled,
}: NonNullable<Issue["external_root"]>): string {
  return `${connector_instance}${enabled ? "" : ", paused"}`;
}

/**
 * Why one of the issues keeps its title and text and cannot be deleted: a record of another tracker, its root, owns
 * them. `undefined` if none of them has a root.
 */
export function whyOwned(
  issues: readonly Pick<Issue, "qualified_id" | "external_root">[],
): string | undefined {
  for (const { qualified_id: name, external_root: root } of issues)
    if (root !== undefined)
      return `the root of ${name} in ${root.connector_instance} owns title and text: they are changed there`;
  return undefined;
}
