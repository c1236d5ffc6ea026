import { z } from "zod";
import { ToolError } from "./failure.ts";

const MAX_DATE_CHARACTERS = 64;

/** Planning dates as a tool takes them (doc 3, tool rule 7). */
export const dateText = z.string().min(1).max(MAX_DATE_CHARACTERS);

type Patch = Readonly<Record<string, unknown>>;

/** Adds members of their own to a metadata patch; a key that stands in both is refused. */
export function withMembers(patch: Patch | undefined, members: Patch): Patch | undefined {
  const given = Object.entries(members).filter(([, value]) => value !== undefined);
  const twice = given.find(([key]) => patch !== undefined && Object.hasOwn(patch, key));
  if (twice !== undefined)
    throw new ToolError(`invalid arguments: ${twice[0]}: is in metadata too, name it once`);
  if (patch === undefined && given.length === 0) return undefined;
  return { ...patch, ...Object.fromEntries(given) };
}

/** The value of a date's key: the date, or null where it is cleared; exactly one of both is given. */
export function dateOrNone(name: string, date: string | undefined, clear: true | undefined) {
  if ((date === undefined) === (clear === undefined))
    throw new ToolError(`invalid arguments: give either ${name} or clear_${name}`);
  return date ?? null;
}

/** Refuses a member beside the one that clears it. */
export function refuseBoth(
  members: Readonly<Record<string, unknown>>,
  pairs: readonly (readonly [string, string])[],
): void {
  for (const [set, clear] of pairs)
    if (members[set] !== undefined && members[clear] !== undefined)
      throw new ToolError(`invalid arguments: ${set} and ${clear} exclude each other`);
}
