import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import type { InferredFlags } from "@oclif/core/interfaces";
import { invalid } from "../contract/errors.ts";
import type { bodyFlags } from "./flags.ts";
import type { ProcessContext } from "./process-context.ts";
import { reasonOf } from "./system-fault.ts";

/** The text of the body flags, without the line ends that editors and pipes append. */
export function readBody(
  flags: InferredFlags<typeof bodyFlags>,
  { cwd, readStdin }: ProcessContext,
): string | undefined {
  if (flags.body !== undefined) return flags.body;
  if (flags["body-stdin"] === true) return withoutLineEnds(readStdin());
  const path = flags["body-file"];
  if (path === undefined) return undefined;
  try {
    return withoutLineEnds(readFileSync(resolve(cwd, path), "utf8"));
  } catch (error) {
    throw invalid(`cannot read --body-file ${path}: ${reasonOf(error)}`);
  }
}

function withoutLineEnds(text: string): string {
  return text.replace(/[\r\n]+$/, "");
}
