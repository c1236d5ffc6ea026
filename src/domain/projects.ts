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

/**
 * Yields names for the project of a repository or folder, best first: the last part of its path, then longer names that
 * also contain the parts before it, then names with a number. `place` is an identity such as `github.com/work/api`, or
 * a path.
 */
export function* namesFor(place: string): Generator<string, void, void> {
  const parts = place
    .replace(/^local:/, "")
    .replace(/\.git$/, "")
    .split(/[/:\\]+/)
    .filter((part) => part !== "");
  const last = parts.at(-1) ?? "";
  yield projectName(last);
  for (let count = 2; count <= parts.length; count++) {
    const longer = parts.slice(-count).join("-").replaceAll("#", "-");
    if (byteLength(longer) <= MAX_PROJECT_NAME_BYTES) yield longer;
  }
  for (let number = 2; ; number++) yield projectName(`${last}-${number}`);
}

function invalid(reason: string): SvcError {
  return invalidField("name", reason);
}
