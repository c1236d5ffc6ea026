import type { JsonValue } from "../../base/json.ts";

export function textOf(value: JsonValue | undefined): string | undefined {
  if (typeof value === "number") return String(value);
  if (typeof value !== "string" || value.trim() === "") return undefined;
  return value.trim();
}

/** Returns the texts in a value, which is a list or one text with commas. */
export function textsOf(value: JsonValue | undefined): readonly string[] {
  if (Array.isArray(value)) return value.flatMap((one: JsonValue) => textOf(one) ?? []);
  return (textOf(value) ?? "")
    .split(",")
    .map((word) => word.trim())
    .filter((word) => word !== "");
}

/** A person's name without the `@` that some trackers write before it. */
export function nameOf(text: string): string {
  return text.replace(/^@(?=\S)/, "");
}

/**
 * Normalizes a word for comparison: `In-Progress` and `in_progress` become `in progress`, `Won't do` becomes `wont do`.
 */
export function plainWord(word: string): string {
  return word
    .trim()
    .toLowerCase()
    .replace(/['’]/g, "")
    .replace(/[-_\s]+/g, " ");
}
