import type { Env } from "../../config/env.ts";
import type { SettingDefinition } from "../../config/setting.ts";
import { SETTINGS } from "../../config/settings.ts";

/**
 * The names of variables in the environment that contain a secret: the variables that svc knows to contain one, and the
 * variables whose names suggest it.
 */
export function secretNames(env: Env, known: readonly string[]): readonly string[] {
  const definitions: readonly SettingDefinition<unknown>[] = Object.values(SETTINGS);
  const ours = definitions.flatMap(({ secret, env: names = [] }) => (secret === true ? names : []));
  const sure = new Set([...known, ...ours]);
  return Object.keys(env).filter((name) => sure.has(name) || SOUNDS_SECRET.test(name));
}

const SOUNDS_SECRET = /TOKEN|SECRET|PASSW|KEY|CREDENTIAL|BEARER|DSN/i;

/** A shorter value is not treated as a secret, because hiding it could hide parts of ordinary words. */
const MIN_SECRET_CHARS = 4;

/**
 * Replaces the values of these variables, and everything that looks like a password or token, in a text that is shown.
 */
export function withoutSecrets(text: string, env: Env, names: readonly string[]): string {
  const values = names
    .map((name) => [name, env[name] ?? ""] as const)
    .filter(([, value]) => value.length >= MIN_SECRET_CHARS)
    .sort(([, a], [, b]) => b.length - a.length);
  const hidden = values.reduce((rest, [name, value]) => rest.replaceAll(value, `<${name}>`), text);
  return hidden
    .replace(/(:\/\/[^\s:/@]*):[^\s/@]+@/g, "$1:<hidden>@")
    .replace(/\b(password|token|secret|bearer)([=:]\s*|\s+)(?!<)[^\s"',;]{8,}/gi, "$1$2<hidden>")
    .replace(/\bsvc_[\w-]{40,}/g, "<hidden>");
}
