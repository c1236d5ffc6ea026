import type { JsonValue } from "../../base/json.ts";

/** One text, or `undefined` for anything without words. */
export function textOf(value: JsonValue | undefined): string | undefined {
  if (typeof value === "number") return String(value);
  if (typeof value !== "string" || value.trim() === "") return undefined;
  return value.trim();
}

/** A list of texts, written as a list or as one text with commas. */
export function textsOf(value: JsonValue | undefined): readonly string[] {
  if (Array.isArray(value)) return value.flatMap((one: JsonValue) => textOf(one) ?? []);
  return (textOf(value) ?? "")
    .split(",")
    .map((word) => word.trim())
    .filter((word) => word !== "");
}

/** A name as trackers write it after an at sign. */
export function nameOf(text: string): string {
  return text.replace(/^@(?=\S)/, "");
}

/** `In-Progress` and `in_progress` are `in progress`, and `Won't do` is `wont do`. */
export function plainWord(word: string): string {
  return word
    .trim()
    .toLowerCase()
    .replace(/['’]/g, "")
    .replace(/[-_\s]+/g, " ");
}
