import type { Root } from "./values.ts";

/**
 * Whether the root is to be completed: the issue is closed, for whatever reason. A root is never reopened. The issue
 * and the binding must be read after the root, just before the call.
 */
export function completesRoot(
  issue: { readonly status: "open" | "closed" },
  binding: {
    readonly complete_external: boolean;
    readonly active: boolean;
    readonly enabled: boolean;
  },
  state: Root["state"],
): boolean {
  const { complete_external, active, enabled } = binding;
  return issue.status === "closed" && active && enabled && complete_external && state === "open";
}
