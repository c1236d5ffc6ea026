import { closeSync, openSync } from "node:fs";
import { resolve } from "node:path";
import { readUpTo } from "../../base/read-up-to.ts";
import { utf8Text } from "../../base/utf8.ts";
import { invalid } from "../../contract/errors.ts";
import { reasonOf } from "../failure/system-fault.ts";
import type { ProcessContext } from "../process-context.ts";

interface FileOptions {
  /** How error messages name the file. */
  readonly name?: string;
  readonly most?: number;
}

/** Reads a file that the user named, which must be UTF-8; `-` is standard input. */
export function readTextFile(
  path: string,
  context: ProcessContext,
  { name = path, most = Number.POSITIVE_INFINITY }: FileOptions = {},
): string {
  const bytes = path === "-" ? fromStdin(context, most) : fromFile(path, context, { name, most });
  const what = path === "-" ? "standard input" : name;
  if (bytes.length > most)
    throw invalid(
      `${what} holds more than ${most} bytes`,
      "shorten it, or name in the text where the rest is",
    );
  const text = utf8Text(bytes);
  if (text === undefined)
    throw invalid(
      `${what} is not UTF-8 text`,
      "save it as UTF-8, or convert it with iconv -f <its encoding> -t UTF-8",
    );
  return text;
}

function fromStdin({ readStdin, stdinIsTerminal, stderr }: ProcessContext, most: number): Buffer {
  if (stdinIsTerminal) stderr.write("type the text, then ctrl+d on a line of its own\n");
  return readStdin(most);
}

function fromFile(
  path: string,
  { cwd }: ProcessContext,
  { name, most }: Required<FileOptions>,
): Buffer {
  try {
    const descriptor = openSync(resolve(cwd, path), "r");
    try {
      return readUpTo(descriptor, most);
    } finally {
      closeSync(descriptor);
    }
  } catch (error) {
    throw invalid(`cannot read ${name}: ${reasonOf(error)}`);
  }
}

/** Parses the text of a file as JSON. Pass `parseJson` as `parse` to keep numbers exactly as they are written. */
export function jsonOf<T>(path: string, text: string, parse: (text: string) => T): T {
  try {
    return parse(text);
  } catch (error) {
    throw invalid(`${path} is not JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
}
