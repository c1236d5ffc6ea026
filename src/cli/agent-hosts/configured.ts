import type { Env } from "../../config/env.ts";
import { isTable } from "../../config/toml.ts";
import type { Host } from "./hosts.ts";

/** How a host starts a server, according to the host's configuration file. */
export interface ConfiguredServer {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Env;
}

/** Where the host runs: its own environment, and the project's folder. */
interface HostEnvironment {
  readonly env: Env;
  readonly folder: string;
}

/** Reads an entry of a host's file as the host does. Returns `undefined` if the entry starts no program. */
export function configuredIn(
  host: Host,
  entry: unknown,
  surroundings: HostEnvironment,
): ConfiguredServer | undefined {
  if (!isTable(entry)) return undefined;
  const words = [entry["command"], entry["args"] ?? []].flat();
  const [command, ...args] = words.filter((word) => typeof word === "string");
  if (command === undefined || args.length !== words.length - 1) return undefined;
  const { env } = surroundings;
  const resolved = (text: string): string => withReferences(host, text, surroundings);
  const inherited =
    host.inherits === "all"
      ? env
      : pickVariables(env, [...EVERYWHERE, ...namesIn(entry["env_vars"])]);
  const own = entry["env"] ?? entry["environment"];
  const values = Object.entries(isTable(own) ? own : {}).flatMap(([name, value]) =>
    typeof value === "string" ? [[name, resolved(value)] as const] : [],
  );
  return {
    command: resolved(command),
    args: args.map(resolved),
    env: { ...inherited, ...Object.fromEntries(values) },
  };
}

/** Variables that a server gets even from a host that passes on only the variables named in the entry. */
const EVERYWHERE = [
  ...["HOME", "PATH", "USER", "LOGNAME", "SHELL", "LANG", "LC_ALL", "TERM", "TMPDIR", "TZ"],
  ...["APPDATA", "LOCALAPPDATA", "PATHEXT", "SYSTEMROOT", "TEMP", "TMP", "USERPROFILE"],
];

function pickVariables(env: Env, names: readonly string[]): Env {
  return Object.fromEntries(
    names.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]])),
  );
}

function namesIn(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((name) => typeof name === "string") : [];
}

/**
 * The placeholders that hosts replace by the value of a variable: `${NAME}`, `${NAME:-default}`, `${env:NAME}`,
 * `{env:NAME}` and `$NAME`. Each host supports some of these forms.
 */
const REFERENCE = /\$\{(?:env:)?(\w+)(?::-([^}]*))?\}|\{env:(\w+)\}|\$(\w+)/g;

function withReferences(host: Host, text: string, { env, folder }: HostEnvironment): string {
  const { folderVariable, replaces } = host;
  const placed =
    folderVariable === undefined ? text : text.replaceAll(folderVariable, () => folder);
  if (replaces === undefined) return placed;
  return placed.replace(
    REFERENCE,
    (whole: string, braced?: string, otherwise?: string, inner?: string, bare?: string) => {
      const name = braced ?? inner ?? bare ?? "";
      return replaces.test(whole) ? (env[name] ?? otherwise ?? "") : whole;
    },
  );
}
