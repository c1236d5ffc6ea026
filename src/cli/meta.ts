import { type JsonValue, parseJson } from "../base/json.ts";
import { SvcError } from "../contract/errors.ts";
import { etagOf } from "./close.ts";
import { invalid } from "./failure.ts";
import { textFlag } from "./flags.ts";

export const ifMatchFlag = {
  "if-match": textFlag("refuse when it has another revision by now", "<n|rev-n>"),
};

export function ifMatchHeader(text: string | undefined): { readonly "if-match"?: string } {
  return text === undefined ? {} : { "if-match": etagOf(text) };
}

/** The value of a metadata key from the command line; `null` would take the key away, which is another command. */
export function metadataValue(text: string, isJson: boolean): JsonValue {
  if (!isJson) return text;
  const value = jsonOf(text);
  if (value === null) throw invalid("null is no value", "unset takes a key away");
  return value;
}

/** A value that was refused as text and is JSON of another kind was probably meant as that. */
export function withJsonAdvice(error: unknown, text: string, isJson: boolean): unknown {
  if (isJson || !(error instanceof SvcError) || error.code !== "invalid_metadata_value")
    return error;
  if (!isOtherThanText(text)) return error;
  const hint = `give --json-value: without it the value is the text ${JSON.stringify(text)}`;
  return new SvcError(error.code, error.data, { message: error.message, hint, cause: error });
}

function isOtherThanText(text: string): boolean {
  try {
    return typeof parseJson(text) !== "string";
  } catch {
    return false;
  }
}

function jsonOf(text: string): JsonValue {
  try {
    return parseJson(text);
  } catch {
    throw invalid(`${JSON.stringify(text)} is not JSON`);
  }
}
