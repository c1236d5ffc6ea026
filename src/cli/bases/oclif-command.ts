import { EXIT_CODES, failureOf } from "../failure/failure.ts";
import { parseFailure } from "../failure/parse-failure.ts";
import { processContext } from "../process-context.ts";
import type { SvcCommand } from "./svc-command.ts";

type Words = Pick<SvcCommand, "argv" | "id">;
type Expected = Partial<Pick<typeof SvcCommand, "flags" | "args">>;

/**
 * Prints the failure of one of oclif's own commands in the form of svc's failures
 * (docs/contract/command-line.md#13-streams-and-failures).
 */
export async function printFailure(
  error: unknown,
  { argv, id = "" }: Words,
  { flags, args }: Expected,
): Promise<void> {
  const expected = { id, argv, flags: flags ?? {}, args: Object.keys(args ?? {}) };
  const failure = (await parseFailure(error, expected)) ?? failureOf(error);
  const mode = argv.includes("--json") ? "json" : argv.includes("--agent") ? "agent" : "human";
  const { failureText } = await import("../render/failure.ts");
  const { stderr, exitWith } = processContext();
  stderr.write(`${failureText(failure, mode, id.split(":").at(-1) ?? "")}\n`);
  exitWith(EXIT_CODES[failure.kind]);
}
