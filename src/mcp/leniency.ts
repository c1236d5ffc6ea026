import type { z } from "zod";

/**
 * Corrects usual mistakes of models in the arguments: `"5"` instead of 5, null instead of a missing optional argument,
 * and an empty cursor instead of the first page. Corrects only arguments that the schema has refused, and only if the
 * corrected value is valid. So a name or a confirmation is never changed.
 */
export function corrected(input: z.ZodObject, sent: unknown, { issues }: z.ZodError): unknown {
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

/** True for a whole number as text. A longer number could lose digits. */
function isNumberText(value: unknown): boolean {
  return typeof value === "string" && /^-?\d{1,15}$/.test(value);
}

function isNone(name: string, value: unknown): boolean {
  return value === null || (name === "cursor" && value === "");
}

/** True if null could mean that the value should be removed. In that case there is another argument for removing it. */
function canBeCleared({ shape }: z.ZodObject, name: string): boolean {
  return Object.hasOwn(shape, `clear_${name}`) || Object.hasOwn(shape, `remove_${name}`);
}

function accepts(schema: z.core.$ZodType, value: unknown): boolean {
  return (schema as z.ZodType).safeParse(value).success;
}
