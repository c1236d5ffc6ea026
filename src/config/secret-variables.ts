import { type Env, programEnv } from "./env.ts";
import type { Config } from "./load.ts";

type Named = Pick<Config, "catalog" | "settings">;

/** The names that config.toml gives to environment variables with tokens: of its daemons, for issue sync, and for search by meaning. */
export function secretVariables({ catalog, settings }: Named): readonly string[] {
  const ofDaemons = catalog.flatMap(({ tokenEnv }) => (tokenEnv === undefined ? [] : [tokenEnv]));
  const { providerSyncTokenEnv, embeddingsApiKeyEnv } = settings;
  const ofProvider = embeddingsApiKeyEnv === undefined ? [] : [embeddingsApiKeyEnv];
  return [providerSyncTokenEnv, ...ofProvider, ...ofDaemons];
}

/** The environment of this process for a program that is no part of svc: without any token. */
export function configuredProgramEnv(config: Named & { readonly env: Env }): Env {
  return programEnv(config.env, secretVariables(config));
}
