import type { ParserOutput } from "@oclif/core/interfaces";
import { usage } from "../failure/failure.ts";
import { dashHint } from "../failure/parse-failure.ts";

/**
 * Refuses a word such as `-5`. oclif treats it as an argument, but it is more often a mistyped flag
 * (docs/contract/command-line.md#11-global-flags).
 */
export function refuseNumbers(
  argv: readonly string[],
  parsed: Pick<ParserOutput, "raw">,
  first: string | undefined,
): void {
  const end = argv.indexOf("--");
  const before = end === -1 ? argv : argv.slice(0, end);
  const slip = parsed.raw.find(
    ({ type, input }) => type === "arg" && /^-\d/.test(input) && before.includes(input),
  );
  if (slip !== undefined)
    throw usage(`unknown flag ${slip.input}`, dashHint(slip.input, first ?? "argument"));
}
