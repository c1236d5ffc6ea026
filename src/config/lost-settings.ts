import type { PathFault } from "./path-fault.ts";
import type { SettingDefinition } from "./setting.ts";
import { SETTINGS } from "./settings.ts";
import { fileError } from "./toml.ts";

/** Settings in config.toml that are ignored, because other users could have written the file. */
export interface IgnoredSettings {
  readonly path: string;
  readonly keys: readonly string[];
  readonly fault: PathFault;
  /** Names all keys and the reason, in one line. */
  readonly what: string;
  readonly hint: string;
}

export function lostFrom(
  path: string,
  fault: PathFault | undefined,
  keys: readonly string[],
): IgnoredSettings | undefined {
  if (fault === undefined || keys.length === 0) return undefined;
  const verb = keys.length === 1 ? "does" : "do";
  const what = `${path}: ${keys.join(", ")} ${verb} not count, since ${whyOf(fault)}`;
  return { path, keys, fault, what, hint: fault.hint };
}

/**
 * Throws if one of these settings is ignored, because its default would do something other than what the user wanted.
 */
export function requireKept(lost: IgnoredSettings | undefined, ...keys: readonly string[]): void {
  const missing = lost?.keys.filter((key) => keys.includes(key)) ?? [];
  if (lost === undefined || missing.length === 0) return;
  const { path, fault } = lost;
  const problem = `has ${missing.join(", ")}, which cannot count there: ${whyOf(fault)}`;
  throw fileError(path, problem, undefined, fault.hint);
}

/** The mappings of federation, which are no settings (`federation-mappings.ts`). */
export const MAPPINGS_KEY = "[[federation.project]]";

/** The connectors, which are no settings (`connector-list.ts`). Each names a program that the daemon runs. */
export const CONNECTORS_KEY = "[[connector]]";

/** The settings that must not be ignored when a daemon starts. */
export const KEYS_GUARDED_FOR_DAEMON: readonly string[] = [
  ...Object.values(SETTINGS as Readonly<Record<string, SettingDefinition<unknown>>>).flatMap(
    ({ key, guarded }) => (guarded === "daemon" && key !== undefined ? [key] : []),
  ),
  MAPPINGS_KEY,
  CONNECTORS_KEY,
];

function whyOf({ path, what }: PathFault): string {
  return `${path} ${what}`;
}
