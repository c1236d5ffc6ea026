import type { z } from "zod";

/**
 * Returns the arguments as they were meant, where a model's usual slips leave no doubt: `"5"` for 5, null for an optional
 * argument that is not given, and an empty cursor for the first page. Only arguments that were refused are looked at,
 * and only a change that makes an argument valid is made, so no name and no confirmation is ever read otherwise.
 */
export function meant(input: z.ZodObject, sent: unknown, { issues }: z.ZodError): unknown {
  if (typeof sent !== "object" || sent === null) return sent;
  const args = new Map<string, unknown>(Object.entries(sent));
  for (const { path } of issues) {
    const name = String(path[0] ?? "");
    const schema = Object.hasOwn(input.shape, name) ? input.shape[name] : undefined;
    if (path.length !== 1 || schema === undefined) continue;
    const value = args.get(name);
    if (isNumberText(value) && accepts(schema, Number(value))) args.set(name, Number(value));
    else if (isNone(name, value) && !canBeCleared(input, name) && accepts(schema, undefined))
      args.delete(name);
  }
  return Object.fromEntries(args);
}

/** A whole number as text. Longer ones could lose digits. */
function isNumberText(value: unknown): boolean {
  return typeof value === "string" && /^-?\d{1,15}$/.test(value);
}

function isNone(name: string, value: unknown): boolean {
  return value === null || (name === "cursor" && value === "");
}

/** True if null could mean that the value is to be removed, for which there is another argument. */
function canBeCleared({ shape }: z.ZodObject, name: string): boolean {
  return Object.hasOwn(shape, `clear_${name}`) || Object.hasOwn(shape, `remove_${name}`);
}

function accepts(schema: z.core.$ZodType, value: unknown): boolean {
  return (schema as z.ZodType).safeParse(value).success;
}
