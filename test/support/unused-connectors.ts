import type { ExternalRoots } from "../../src/ops/bridges/external-roots.ts";

/** Connectors for tests in which none is asked: what the routes of bridges refuse comes before. */
export const UNUSED_CONNECTORS: ExternalRoots = {
  instances: () => [],
  health: async () => await Promise.resolve([]),
  client: () => undefined,
};
