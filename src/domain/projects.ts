import { invalidField, type SvcError } from "../contract/errors.ts";
import { MAX_PROJECT_NAME_BYTES } from "../contract/limits.ts";
import { byteLength } from "./text.ts";

/**
 * Normalizes a project name: trimmed, not blank, without NUL and without `#`, which separates the parts of a qualified
 * id.
 */
export function projectName(text: string): string {
  const name = text.trim();
  if (name === "") throw invalid("is blank");
  if (name.includes("#")) throw invalid("must not contain #");
  if (name.includes("\u0000")) throw invalid("must not contain a NUL character");
  if (byteLength(name) > MAX_PROJECT_NAME_BYTES) {
    throw invalid(`is longer than ${MAX_PROJECT_NAME_BYTES} bytes`);
  }
  return name;
}

function invalid(reason: string): SvcError {
  return invalidField("name", reason);
}
