import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { invalid } from "../shared/invalid.ts";
import type { Surroundings } from "./surroundings.ts";
import { reasonOf } from "./system-fault.ts";

/** The text of a file that a flag or an argument names; `-` is standard input. */
export function readTextFile(path: string, { cwd, readStdin }: Surroundings): string {
  if (path === "-") return readStdin();
  try {
    return readFileSync(resolve(cwd, path), "utf8");
  } catch (error) {
    throw invalid(`cannot read ${path}: ${reasonOf(error)}`);
  }
}
