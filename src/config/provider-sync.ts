import { listOf } from "./address-kinds.ts";
import { type Kind, textual } from "./kinds.ts";
import { isTable, type TomlTable } from "./toml.ts";

/**
 * One `[[provider_sync.app]]`: an app that is installed for an owner. With it the daemon reads the owner's
 * repositories.
 */
export interface ProviderSyncApp {
  readonly host: string;
  readonly owner: string;
  /** A number, or the client id of the app. */
  readonly app_id: string;
  readonly installation_id: string;
  readonly private_key_path: string;
}

/** The settings that the reader of a provider uses. */
export interface ProviderSyncSettings {
  readonly apps: readonly ProviderSyncApp[];
  /** The name of the environment variable with a token, not the token. */
  readonly tokenEnv: string;
  /** The only host that gets this token. */
  readonly tokenHost: string;
  /** Hosts that may be read besides the public one. */
  readonly allowedHosts: readonly string[];
}

const DEFAULT_HOST = "github.com";

export const apps: Kind<readonly ProviderSyncApp[]> = {
  expects:
    "tables [[provider_sync.app]], each with owner, app_id, installation_id and private_key_path, and host if it is not github.com",
  fromText: () => undefined,
  fromToml: (value) => {
    if (!Array.isArray(value)) return undefined;
    const found = value.map(appOf);
    return found.every((app) => app !== undefined) && areApart(found) ? found : undefined;
  },
};

const KEYS = new Set(["host", "owner", "app_id", "installation_id", "private_key_path"]);

function appOf(table: unknown): ProviderSyncApp | undefined {
  if (!isTable(table) || Object.keys(table).some((key) => !KEYS.has(key))) return undefined;
  const host = table["host"] === undefined ? DEFAULT_HOST : hostOf(table["host"]);
  const [owner, private_key_path] = [textOf(table, "owner"), textOf(table, "private_key_path")];
  const [app_id, installation_id] = [
    idOf(table, "app_id", /^\w[\w.-]{0,99}$/),
    idOf(table, "installation_id", /^\d{1,20}$/),
  ];
  if (host === undefined || owner === undefined || private_key_path === undefined) return undefined;
  if (app_id === undefined || installation_id === undefined) return undefined;
  return { host, owner, app_id, installation_id, private_key_path };
}

/** True if no two apps are for the same owner on the same host: only one of them could be used. */
function areApart(found: readonly ProviderSyncApp[]): boolean {
  return (
    new Set(found.map(({ host, owner }) => `${host}/${owner.toLowerCase()}`)).size === found.length
  );
}

function textOf(table: TomlTable, key: string): string | undefined {
  const value = table[key];
  return typeof value === "string" && value.trim() !== "" ? value.trim() : undefined;
}

/**
 * Returns the id as text, or `undefined` if it does not match `form`. In TOML it may be a number, as the host shows it.
 */
function idOf(table: TomlTable, key: string, form: RegExp): string | undefined {
  const value = table[key];
  const text = Number.isSafeInteger(value) ? String(value) : value;
  return typeof text === "string" && form.test(text) ? text : undefined;
}

function hostOf(value: unknown): string | undefined {
  return typeof value === "string" ? host.fromText(value) : undefined;
}

const HOST =
  /^(?=.{1,253}(?::|$))[a-z\d](?:[a-z\d-]*[a-z\d])?(?:\.[a-z\d](?:[a-z\d-]*[a-z\d])?)*(?::\d{1,5})?$/;

/** A name or an IPv4 address in lower case, with a port where it is not 443. */
export const host: Kind<string> = textual("a host such as git.example.com", (value) => {
  const found = value.trim().toLowerCase();
  return HOST.test(found) ? found.replace(/:443$/, "") : undefined;
});

export const hosts: Kind<readonly string[]> = listOf(host);

const REPOSITORY = /^(?:([^/]+)\/)?([\w.-]{1,100}\/[\w.-]{1,100})$/;

/** Reads each entry as `host/owner/name` in lower case, even if the entry has no host. */
export const repositories: Kind<readonly string[]> = listOf(
  textual("owner/name or host/owner/name", (value) => {
    const [, at, name] = REPOSITORY.exec(value.trim()) ?? [];
    const where = at === undefined ? DEFAULT_HOST : host.fromText(at);
    return where === undefined || name === undefined ? undefined : `${where}/${name.toLowerCase()}`;
  }),
);
