import { z } from "zod";
import { ToolError } from "./failure.ts";

const MAX_DATE_CHARACTERS = 64;

/** A planning date in the form that tools take (docs/contract/tools.md#82-issue_mutation). */
export const dateText = z.string().min(1).max(MAX_DATE_CHARACTERS);

type Patch = Readonly<Record<string, unknown>>;

/**
 * Adds to a metadata patch the keys for which the tool has separate arguments, such as dates. Refuses a key that is in
 * both.
 */
export function withMembers(patch: Patch | undefined, members: Patch): Patch | undefined {
  const entries = Object.entries(members).filter(([, value]) => value !== undefined);
  const twice = entries.find(([key]) => patch !== undefined && Object.hasOwn(patch, key));
  if (twice !== undefined)
    throw new ToolError(`invalid arguments: ${twice[0]}: is in metadata too, name it once`);
  if (patch === undefined && entries.length === 0) return undefined;
  return { ...patch, ...Object.fromEntries(entries) };
}

/**
 * Returns the value to store for a date's metadata key: the date, or null to clear it. Fails unless either `date` or
 * `clear` is given.
 */
export function dateOrNone(name: string, date: string | undefined, clear: true | undefined) {
  if ((date === undefined) === (clear === undefined))
    throw new ToolError(`invalid arguments: give either ${name} or clear_${name}`);
  return date ?? null;
}

/** Fails if a value is given together with the argument that clears this value. */
export function refuseBoth(
  members: Readonly<Record<string, unknown>>,
  pairs: readonly (readonly [string, string])[],
): void {
  for (const [set, clear] of pairs)
    if (members[set] !== undefined && members[clear] !== undefined)
      throw new ToolError(`invalid arguments: ${set} and ${clear} exclude each other`);
}
