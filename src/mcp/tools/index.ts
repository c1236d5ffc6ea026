import type { Section } from "../sections.ts";
import type { Tool } from "../tool.ts";

/** The tools of each section. They are read when their loader is called, since making their schemas takes time. */
export const TOOLS: Readonly<Record<Section, () => Promise<readonly Tool[]>>> = {
  issue_discovery: async () => (await import("./discovery/index.ts")).tools,
  issue_mutation: async () => (await import("./mutation/index.ts")).tools,
};
