import { resolve } from "node:path";
import type { Selection } from "../../client/select.ts";
import { type Target, tokenVariable } from "../../client/target.ts";
import { isSet } from "../../config/env.ts";
import type { Config } from "../../config/load.ts";
import type { SettingDefinition } from "../../config/setting.ts";
import { SETTINGS, type SettingName } from "../../config/settings.ts";
import { invalid } from "../../contract/errors.ts";
import type { Globals } from "../flags/flags.ts";
import { type HandedOn, type Host, type Scope, scopesOf } from "./hosts.ts";

interface NeededVariable {
  readonly setting: SettingName;
  /** Whether the variable affects a server that uses this daemon. False if a flag takes the place of the variable. */
  readonly isUsed: (target: Target, globals: Globals) => boolean;
  /**
   * What to do with the variable in the project's file, which several people may share:
   * - `all`: everybody needs the same value, so it is written.
   * - `own`: the value differs from person to person, so a shared file with it is refused.
   * - `self`: each person has their own variable in their environment, so it is left out.
   */
  readonly concerns: "all" | "own" | "self";
}

const NEEDED: readonly NeededVariable[] = [
  { setting: "server", isUsed: isServer, concerns: "all" },
  { setting: "allowInsecure", isUsed: isServer, concerns: "own" },
  { setting: "trustPrivateNetwork", isUsed: isRemote, concerns: "own" },
  { setting: "dsn", isUsed: isLocal, concerns: "own" },
  { setting: "postgresSchema", isUsed: isLocal, concerns: "own" },
  { setting: "postgresMode", isUsed: isLocal, concerns: "own" },
  { setting: "postgresAllowInsecure", isUsed: isLocal, concerns: "own" },
  { setting: "skipVersionCheck", isUsed: isLocal, concerns: "own" },
  { setting: "author", isUsed: (_target, { as }) => as === undefined, concerns: "self" },
  {
    setting: "teammate",
    isUsed: (_target, { teammate }) => teammate === undefined,
    concerns: "self",
  },
];

/**
 * Returns the variables that a server needs from this environment. Throws if one of them cannot be written into the
 * file.
 */
export function handedOn(
  host: Host,
  scope: Scope,
  { config, target, cwd, globals }: Pick<Selection, "config" | "target"> & CallPlace,
): HandedOn {
  const values: Record<string, string> = {};
  const token = tokenVariable(config, target);
  const names = token === undefined ? [] : [token];
  for (const { setting, isUsed, concerns } of NEEDED) {
    const name = variableOf(config, setting);
    if (name === undefined || !isUsed(target, globals)) continue;
    const definition: SettingDefinition<unknown> = SETTINGS[setting];
    if (definition.secret === true) names.push(name);
    else if (scope === "user" || concerns === "all") values[name] = config.env[name] ?? "";
    else if (concerns === "own") throw personalTokenError(host, name);
  }
  for (const [name, isUsed] of PATHS) {
    const path = config.env[name];
    if (!isSet(path) || !isUsed(target)) continue;
    if (scope === "project") throw personalTokenError(host, name);
    values[name] = resolve(cwd, path);
  }
  if (names.length > 0 && host.inherits === "nothing") throw withheldError(host, names);
  return { values, names, token };
}

interface CallPlace {
  readonly cwd: string;
  readonly globals: Globals;
}

/**
 * Variables that are not settings and contain a path. The paths are made absolute, because a host may start the server
 * in another folder.
 */
const PATHS: readonly (readonly [name: string, isUsed: (target: Target) => boolean])[] = [
  ["SVC_HOME", () => true],
  ["NODE_EXTRA_CA_CERTS", (target) => isRemote(target) && target.origin.scheme === "https"],
];

function isRemote(target: Target): target is Extract<Target, { kind: "remote" }> {
  return target.kind === "remote";
}

function isLocal(target: Target): boolean {
  return target.kind === "local";
}

function isServer(target: Target): boolean {
  return isRemote(target) && target.from === "SVC_SERVER";
}

function variableOf({ env, sources }: Config, setting: SettingName): string | undefined {
  const definition: SettingDefinition<unknown> = SETTINGS[setting];
  return sources[setting] === "env" ? definition.env?.find((name) => isSet(env[name])) : undefined;
}

function personalTokenError(host: Host, name: string) {
  const leaveOut = `env -u ${name} svc mcp … leaves it out`;
  const hint = scopesOf(host).includes("user")
    ? `--scope user writes your own file; ${leaveOut}`
    : leaveOut;
  return invalid(
    `${name} is set, which is only yours, and the project's file is everybody's`,
    hint,
  );
}

function withheldError(host: Host, names: readonly string[]) {
  return invalid(
    `${host.title} hands no variable of its environment on, and the server needs ${names.join(" and ")}`,
    "secrets are never written there: put them into config.toml, as token of a [[daemon]] that --daemon names, or as [storage] dsn",
  );
}
