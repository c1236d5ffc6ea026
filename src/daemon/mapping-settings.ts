import type { Clock } from "../base/clock.ts";
import { bearerFault } from "../config/bearer.ts";
import { addressOf } from "../config/catalog.ts";
import { isSet } from "../config/env.ts";
import type { FederationMapping } from "../config/federation-mappings.ts";
import type { Config } from "../config/load.ts";
import type { Mapping } from "../domain/federation/mapping.ts";
import { MappingFault, type MappingHub } from "../ops/federation/mapping-hub.ts";

/** The mappings of config.toml, each with a function that returns a client for its hub. */
export interface MappingSettings {
  readonly mappings: readonly {
    readonly mapping: Mapping;
    readonly allowsInsecure: boolean;
    /** Throws `MappingFault` if no request may be sent to the hub, or if its token is not set or cannot be used. */
    hub(clock: Clock, signal: AbortSignal): Promise<MappingHub>;
  }[];
}

/** Returns undefined if there are no mappings. The HTTP client for hubs is loaded at its first use. */
export function mappingSettingsFrom({
  mappings,
  settings,
  env,
}: Pick<Config, "mappings" | "settings" | "env">): MappingSettings | undefined {
  if (mappings.length === 0) return undefined;
  const { trustPrivateNetwork: trustsPrivateNetwork } = settings;
  const settingOf = (configured: FederationMapping): MappingSettings["mappings"][number] => {
    const { hub, ...names } = configured;
    const { allowInsecure: allowsInsecure } = hub;
    const url = addressOf(hub);
    return {
      mapping: { ...names, hub: hub.name, hub_url: url },
      allowsInsecure,
      hub: async (clock, signal) => {
        const token = tokenOf(configured, env);
        const { HttpMappingHub } = await import("../federation/http-mapping-hub.ts");
        const place = { url, token, allowsInsecure };
        return new HttpMappingHub({ clock, trustsPrivateNetwork, signal }, place);
      },
    };
  };
  return { mappings: mappings.map(settingOf) };
}

/**
 * Returns the token of the `[[daemon]]` entry, and never another token. Throws `MappingFault` if the token cannot be
 * used, or if the variable that the entry names is not set. Otherwise the request would be sent without a token.
 */
function tokenOf({ hub }: FederationMapping, env: Config["env"]): string | undefined {
  const { token, tokenEnv } = hub;
  if (tokenEnv !== undefined && !isSet(env[tokenEnv]))
    throw new MappingFault("hub_authentication", { reason: "token_unset" });
  const found = tokenEnv === undefined ? token : env[tokenEnv];
  if (found !== undefined && bearerFault(found) !== undefined)
    throw new MappingFault("hub_authentication", { reason: "token_unusable" });
  return found;
}
