import type { Section } from "../sections.ts";
import type { Tool } from "../tool.ts";

/**
 * The tools of each section. The module of a section is imported when its loader is called, because making its schemas
 * takes time.
 */
export const TOOLS: Readonly<Record<Section, () => Promise<readonly Tool[]>>> = {
  issue_discovery: async () => (await import("./discovery/index.ts")).tools,
  issue_mutation: async () => (await import("./mutation/index.ts")).tools,
  issue_lifecycle: async () => (await import("./lifecycle/index.ts")).tools,
  leases: async () => (await import("./leases/index.ts")).tools,
  projects: async () => (await import("./projects/index.ts")).tools,
  tokens: async () => (await import("./tokens/index.ts")).tools,
  system: async () => (await import("./system/index.ts")).tools,
  federation: async () => (await import("./federation/index.ts")).tools,
  sync: async () => (await import("./sync/index.ts")).tools,
  recurrence: async () => (await import("./recurrence/index.ts")).tools,
  activity: async () => (await import("./activity/index.ts")).tools,
  import: async () => (await import("./import/index.ts")).tools,
  external_roots: async () => (await import("./external-roots/index.ts")).tools,
  storage: async () => (await import("./storage/index.ts")).tools,
};
