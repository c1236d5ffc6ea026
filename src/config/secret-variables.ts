import { type Env, programEnv } from "./env.ts";
import type { Config } from "./load.ts";

type Named = Pick<Config, "catalog" | "settings" | "connectors">;

/**
 * The names that config.toml gives to environment variables with secrets: of its daemons, for issue sync, for search by
 * meaning, and those that it hands to connectors. A connector can be given `PATH` too, without which no program runs.
 */
export function secretVariables({ catalog, settings, connectors }: Named): readonly string[] {
  const ofDaemons = catalog.flatMap(({ tokenEnv }) => (tokenEnv === undefined ? [] : [tokenEnv]));
  const { providerSyncTokenEnv, embeddingsApiKeyEnv } = settings;
  const ofProvider = embeddingsApiKeyEnv === undefined ? [] : [embeddingsApiKeyEnv];
  const ofConnectors = connectors
    .flatMap(({ env }) => Object.values(env))
    .filter((name) => !NO_SECRETS.has(name));
  return [providerSyncTokenEnv, ...ofProvider, ...ofDaemons, ...ofConnectors];
}

const NO_SECRETS: ReadonlySet<string> = new Set([
  ...["PATH", "HOME", "USER", "LOGNAME", "SHELL", "TERM", "TZ", "LANG", "LC_ALL", "LC_CTYPE"],
  ...["TMPDIR", "TEMP", "TMP", "SystemRoot", "ComSpec", "USERPROFILE"],
]);

/** The environment of this process for a program that is no part of svc: without any token. */
export function configuredProgramEnv(config: Named & { readonly env: Env }): Env {
  return programEnv(config.env, secretVariables(config));
}
