import type { Reach } from "./scope.ts";
import { SECTION_NAMES, type Section } from "./sections.ts";

/** What decides which sections can be loaded. It is known when the server starts. */
export interface Conditions {
  readonly reach: Reach;
  readonly hasTokenAdmin: boolean;
  readonly hasStorage: boolean;
  /** The health report of the daemon. It has a block for each system that the daemon has. */
  readonly health: Readonly<Record<string, unknown>>;
}

/**
 * For each section, names of blocks of the health report. If the report has one of these blocks, the daemon supports
 * the tools of the section.
 */
const HEALTH_BLOCKS: Readonly<Partial<Record<Section, readonly string[]>>> = {
  federation: ["federation", "federation_config"],
  sync: ["sync"],
  external_roots: ["connectors"],
};

/** Returns the sections whose start-up conditions are met (docs/contract/tools.md#5-loaders). */
export function availableSections(conditions: Conditions): ReadonlySet<Section> {
  const { reach, hasTokenAdmin, hasStorage, health } = conditions;
  const isMet = (section: Section): boolean => {
    if (section === "tokens") return hasTokenAdmin && reach.kind === "all";
    if (section === "storage") return hasStorage;
    return HEALTH_BLOCKS[section]?.some((block) => health[block] !== undefined) ?? true;
  };
  return new Set(SECTION_NAMES.filter(isMet));
}
