import type { Clock } from "../../base/clock.ts";
import { bearerFault } from "../../config/bearer.ts";
import type { Env } from "../../config/env.ts";
import type { ProviderSyncSettings } from "../../config/provider-sync.ts";
import { ProviderFault } from "../provider.ts";
import { AppTokens } from "./app-tokens.ts";
import type { CredentialRequest } from "./credential-request.ts";
import { tokenOfHelper } from "./helper.ts";

export interface CredentialOptions {
  readonly clock: Clock;
  readonly settings: ProviderSyncSettings;
  readonly env: Env;
  readonly home: string;
}

/**
 * Finds the credential for a host, in the order of the contract (docs/contract/issue-sync.md#8-credentials): an app of
 * the settings, the token of the environment if it is for this host, the host's own command-line helper.
 */
export class Credentials {
  readonly #options: CredentialOptions;
  readonly #apps: AppTokens;

  constructor(options: CredentialOptions) {
    this.#options = options;
    this.#apps = new AppTokens(options);
  }

  /** Called when the host refused a credential. */
  forget(): void {
    this.#apps.forget();
  }

  /** Throws if there is no credential, and if the app that is named for this host and owner cannot be used. */
  async find(wanted: CredentialRequest): Promise<string> {
    const { clock, settings, env } = this.#options;
    const { host, owner } = wanted;
    const app = settings.apps.find(
      (one) => one.host === host && one.owner.toLowerCase() === owner.toLowerCase(),
    );
    if (app !== undefined) return await this.#apps.tokenOf(app, wanted);
    const { tokenEnv, tokenHost } = settings;
    const named = tokenHost === host ? (env[tokenEnv] ?? "").trim() : "";
    if (named !== "") return sendable(named, `the token in ${tokenEnv}`);
    const helper = await tokenOfHelper(host, { clock, env, signal: wanted.signal });
    if ("token" in helper) return sendable(helper.token, "the token of gh");
    throw new ProviderFault(
      "credentials",
      `the daemon has no credential for ${host}: ${helper.why}`,
      cureFor(host, tokenEnv, tokenHost),
    );
  }
}

function cureFor(host: string, tokenEnv: string, tokenHost: string): string {
  const other =
    tokenHost === host ? "" : `, with [provider_sync] token_host = ${JSON.stringify(host)}`;
  // gh takes no host with a port.
  const login = host.includes(":")
    ? ""
    : `gh auth login --hostname ${host}, as the daemon's user; `;
  return `where the daemon runs, do one of these: ${login}set ${tokenEnv}${other}; add [[provider_sync.app]] to config.toml`;
}

function sendable(token: string, what: string): string {
  const fault = bearerFault(token);
  if (fault === undefined) return token;
  throw new ProviderFault(
    "credentials",
    `${what} ${fault}`,
    "set it to the token and nothing else",
  );
}
