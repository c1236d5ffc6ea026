import type { InferredFlags } from "@oclif/core/interfaces";
import { DEFAULT_BODY_BYTES } from "../../contract/limits.ts";
import type { bodyFlags } from "../flags/flags.ts";
import type { ProcessContext } from "../process-context.ts";
import { readTextFile } from "./file.ts";

/**
 * Returns the text of the body flags. A text from a file or from stdin loses the line ends that editors and pipes
 * append.
 */
export function readBody(
  flags: InferredFlags<typeof bodyFlags>,
  context: ProcessContext,
): string | undefined {
  if (flags.body !== undefined) return flags.body;
  const path = flags["body-stdin"] === true ? "-" : flags["body-file"];
  if (path === undefined) return undefined;
  // The daemon accepts no request body above this size, so do not read a longer text to its end.
  const options = { name: `--body-file ${path}`, most: DEFAULT_BODY_BYTES };
  return withoutLineEnds(readTextFile(path, context, options));
}

function withoutLineEnds(text: string): string {
  return text.replace(/[\r\n]+$/, "");
}
