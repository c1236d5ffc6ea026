import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { invalid } from "../contract/errors.ts";
import type { ProcessContext } from "./process-context.ts";
import { reasonOf } from "./system-fault.ts";

/** Reads a file that the user named; `-` is standard input. */
export function readTextFile(path: string, { cwd, readStdin }: ProcessContext): string {
  if (path === "-") return readStdin();
  try {
    return readFileSync(resolve(cwd, path), "utf8");
  } catch (error) {
    throw invalid(`cannot read ${path}: ${reasonOf(error)}`);
  }
}

/** Parses the text of that file, with `parseJson` if numbers must keep their spelling. */
export function jsonOf<T>(path: string, text: string, parse: (text: string) => T): T {
  try {
    return parse(text);
  } catch (error) {
    throw invalid(`${path} is not JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
}
