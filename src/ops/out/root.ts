import type { OwningRoot } from "../../store/types/bridges.ts";

/** The field `external_root` of an issue whose title and body a root owns; empty for any other issue. */
export function rootOut(root: OwningRoot | undefined) {
  if (root === undefined) return {};
  const { connector_instance, enabled } = root;
  return { external_root: { connector_instance, enabled: enabled === 1 } };
}
