import type { Kind } from "./kinds.ts";

/**
 * The definition of a setting (docs/contract/command-line.md#31-configtoml and
 * docs/contract/command-line.md#32-variables-without-a-key). A flag wins over the environment, the environment over the
 * file, and the file over the default.
 */
export interface SettingDefinition<T> {
  /** The key in config.toml; missing if the file cannot set it. */
  readonly key?: string;
  /** The name of the setting in the `flags` of `loadConfig`; missing if no flag sets it. */
  readonly flag?: string;
  /** Environment variables; the first that is not empty is used. */
  readonly env?: readonly string[];
  readonly kind: Kind<NonNullable<T>>;
  readonly default: T;
  readonly help: string;
  /** Never shown or logged. */
  readonly secret?: true;
  /** An invalid value causes only a warning, and the default applies. */
  readonly lenient?: true;
  /**
   * Whether the setting counts only in a config.toml that no other user can change (docs/configuration.md, "Files that
   * other users could change"). This holds for settings that name a program, a server or a token, or that decide who
   * has access.
   * - `command`: a command ignores the setting if another user can change the file.
   * - `daemon`: a daemon does not start then, because it would let in other people than its owner wanted, or serve
   *   other data.
   */
  readonly guarded?: "command" | "daemon";
}

/** Gives the definition its type. */
export function setting<T>(spec: SettingDefinition<T>): SettingDefinition<T> {
  return spec;
}

/** Returns the definition of a setting that has no default. */
export function optional<T>(
  spec: Omit<SettingDefinition<T>, "default">,
): SettingDefinition<T | undefined> {
  return { ...spec, kind: spec.kind as Kind<NonNullable<T>>, default: undefined };
}
