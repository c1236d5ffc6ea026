import { resolve } from "node:path";
import { invalid } from "../contract/errors.ts";
import { parseBaseUrl } from "./base-url.ts";
import { bearerFault } from "./bearer.ts";
import { readConfigFile } from "./config-file.ts";
import type { Config } from "./load.ts";
import { pathFault } from "./path-fault.ts";
import { requireSafeHttp } from "./plain-http.ts";
import type { SettingName, Settings } from "./settings.ts";
import { leavesOf, readIfThere } from "./toml.ts";

/** The provider of search by meaning, as `[search.embeddings]` describes it. */
export interface EmbeddingsConfig {
  /** The URL to which the name of the operation is added. */
  readonly baseUrl: string;
  readonly model: string;
  /** How many numbers a vector has. */
  readonly dims: number;
  /** The maximum number of inputs in a call. */
  readonly batchSize: number;
  readonly timeoutMs: number;
  readonly salt: string;
  readonly trustsPrivateNetwork: boolean;
  /**
   * Reads the key anew from the place that was configured when the daemon started: the file, `config.toml` or the
   * environment. Undefined if the provider needs none. Rejects with `validation` if there is no usable key.
   */
  key(): Promise<string | undefined>;
}

const SECTION = "[search.embeddings]";

/**
 * Returns the provider that config.toml names, or undefined if it names none. Throws `validation` if the settings do
 * not fit together, or if the key cannot be used. No message repeats the URL's path or the key.
 */
export function embeddingsFrom(config: Config): EmbeddingsConfig | undefined {
  const { settings } = config;
  const { embeddingsBaseUrl: baseUrl, embeddingsModel: model } = settings;
  if (baseUrl === undefined || model === undefined) {
    requireNothing(config);
    return undefined;
  }
  requireSafeUrl(baseUrl, settings.embeddingsTrustPrivateNetwork);
  requireBoundedAnswer(settings.embeddingsDims, settings.embeddingsBatchSize);
  const source = keySourceOf(config);
  source.check();
  return {
    baseUrl,
    model,
    dims: settings.embeddingsDims,
    batchSize: settings.embeddingsBatchSize,
    timeoutMs: settings.embeddingsTimeoutSeconds * 1000,
    salt: settings.embeddingsSalt,
    trustsPrivateNetwork: settings.embeddingsTrustPrivateNetwork,
    key: source.read,
  };
}

/** Throws if a setting of the section is set, although `base_url` or `model` is missing. */
function requireNothing({ sources }: Config): void {
  const [set] = Object.entries(KEYS).filter(([name]) => sources[name as SettingName] !== "default");
  if (set === undefined) return;
  const missing = sources.embeddingsBaseUrl === "default" ? "base_url" : "model";
  throw invalid(
    `${SECTION} in config.toml has ${set[1]}, but no ${missing}`,
    "set base_url and model, or remove the section",
  );
}

/** The settings of the section, each with its key. */
const KEYS = {
  embeddingsBaseUrl: "base_url",
  embeddingsModel: "model",
  embeddingsApiKey: "api_key",
  embeddingsApiKeyFile: "api_key_file",
  embeddingsApiKeyEnv: "api_key_env",
  embeddingsDims: "dims",
  embeddingsBatchSize: "batch_size",
  embeddingsTimeoutSeconds: "timeout_seconds",
  embeddingsSalt: "fingerprint_salt",
  embeddingsTrustPrivateNetwork: "trust_private_network",
} as const satisfies Partial<Record<keyof Settings, string>>;

function requireSafeUrl(text: string, trusts: boolean): void {
  const from = `${SECTION} base_url`;
  const { origin } = parseBaseUrl(text, from);
  requireSafeHttp(origin, {
    from,
    trusts,
    cure: undefined,
    cures: {
      private: `set ${SECTION} trust_private_network when everybody there may read along`,
      public: "use https, or the IP address of a machine in a private network",
    },
  });
}

/** An answer has this many numbers at most: 64 MiB, if each takes 16 bytes. */
const MOST_NUMBERS = 2 ** 22;

function requireBoundedAnswer(dims: number, batchSize: number): void {
  const numbers = dims * batchSize;
  if (numbers <= MOST_NUMBERS) return;
  throw invalid(
    `dims times batch_size of ${SECTION} in config.toml is ${numbers}, and at most ${MOST_NUMBERS} are allowed`,
    `set batch_size to ${Math.floor(MOST_NUMBERS / dims)} or less`,
  );
}

interface KeySource {
  /** Throws if there is no usable key now. */
  check(): void;
  read(): Promise<string | undefined>;
}

const ONE_KEY = "keep one of api_key, api_key_file and api_key_env";

function keySourceOf({ settings, home, env }: Config): KeySource {
  const { embeddingsApiKey: inline, embeddingsApiKeyFile: file } = settings;
  const { embeddingsApiKeyEnv: variable } = settings;
  const set = [inline, file, variable].filter((value) => value !== undefined);
  if (set.length > 1) throw invalid(`${SECTION} in config.toml names several keys`, ONE_KEY);
  if (inline !== undefined)
    return { check: () => usable(inline, INLINE), read: async () => await inlineKey(home) };
  if (file !== undefined) return at(() => keyInFile(resolve(home, file)));
  if (variable !== undefined) return at(() => keyInVariable(variable, env[variable]));
  return at(() => undefined);
}

function at(read: () => string | undefined): KeySource {
  return { check: read, read: async () => read() };
}

const INLINE = `${SECTION} api_key`;

async function inlineKey(home: string): Promise<string> {
  const { table, fault } = await readConfigFile(home);
  if (fault !== undefined) throw invalid(`${fault.path} ${fault.what}`, fault.hint);
  const key = leavesOf(table).get("search.embeddings.api_key");
  if (typeof key === "string") return usable(key, INLINE);
  throw invalid(`${INLINE} is no longer in config.toml`, SET_KEY);
}

const SET_KEY = "set it to the key of the provider";

function keyInFile(path: string): string {
  const from = `${SECTION} api_key_file`;
  const fault = pathFault(path, `set api_key_file of ${SECTION} to a file of your own`);
  if (fault !== undefined) throw invalid(`${from}: ${fault.path} ${fault.what}`, fault.hint);
  const text = readIfThere(path);
  if (text === undefined) throw invalid(`${from}: ${path} is not there`, PUT_KEY);
  const key = text.replace(/\r?\n$/, "");
  if (key.trim() === "") throw invalid(`${from}: ${path} is empty`, PUT_KEY);
  if (/[\r\n]/.test(key)) throw invalid(`${from}: ${path} has more than one line`, PUT_KEY);
  return usable(key, from);
}

const PUT_KEY = "write the key of the provider into it, in one line";

function keyInVariable(name: string, value: string | undefined): string {
  const from = `${SECTION} api_key_env`;
  if (value !== undefined && value.trim() !== "") return usable(value, from);
  const hint = "set it in the environment of the daemon, or remove api_key_env";
  throw invalid(`${from}: the variable ${name} is not set`, hint);
}

function usable(key: string, from: string): string {
  const fault = bearerFault(key);
  if (fault === undefined) return key;
  throw invalid(`the key of ${from} ${fault}`, "no provider could receive it: set another");
}
