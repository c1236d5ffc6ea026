import type { Clock } from "../base/clock.ts";
import type { Ids } from "../base/ids.ts";
import type { Log } from "../base/log.ts";
import type { Mapping } from "../domain/federation/mapping.ts";
import type { Engine } from "../engines/engines.ts";
import { type EngineMapping, federationMappingsEngine } from "../engines/federation-mappings.ts";
import type { Deps } from "../ops/deps.ts";
import type { Federation } from "../ops/federation/far-side.ts";
import { reconcileMapping } from "../ops/federation/reconcile-mapping.ts";
import { initProject } from "../ops/projects/init.ts";
import type { MappingSettings } from "./mapping-settings.ts";

interface Needs {
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Log;
  readonly federation: Federation;
}

/** The engine that reconciles the mappings of config.toml. */
export function mappingEngineOf(
  { mappings }: MappingSettings,
  { clock, ids, log, federation }: Needs,
): Engine {
  const engineMappings = mappings.map(({ mapping, allowsInsecure, hub }): EngineMapping => {
    const memory = { wasHeld: false };
    return {
      hub_url: mapping.hub_url,
      reconcile: async ({ store, signal }) => {
        const asked = { mapping, allowsInsecure, memory, signal };
        const attempt = {
          ...asked,
          createProject: async () => await createProject({ store, ids }, mapping),
          hub: async () => await hub(clock, signal),
        };
        return await reconcileMapping({ store, federation }, attempt);
      },
    };
  });
  return federationMappingsEngine({ clock, log, mappings: engineMappings });
}

async function createProject(
  deps: Pick<Deps, "store" | "ids">,
  { spoke_project: name, actor }: Mapping,
): Promise<void> {
  const who = { kind: "none", actor, local: false } as const;
  await initProject(deps, who, { params: {}, query: {}, headers: {}, body: { name, actor } });
}
