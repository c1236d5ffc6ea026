import type { InferredFlags } from "@oclif/core/interfaces";
import { shellWord } from "../../base/shell-word.ts";
import { CommandError, usage } from "../failure/failure.ts";
import { booleanFlag, textFlag } from "../flags/flags.ts";
import type { ProcessContext } from "../process-context.ts";

/** The text about the erased bytes in the help of a purge (docs/projects.md). */
export const ERASED =
  "On SQLite the bytes are erased too, except in backups and exports made before. PostgreSQL keeps them in its tables until `vacuum full` rewrites those, and in its write-ahead log, archives, standbys and dumps as long as it keeps these.";

/** A note about what the record of a purge keeps. It is printed in the help, and before a person confirms the purge. */
export const TITLE_KEPT =
  "The record keeps the issue's title and author: to erase a secret from the title, change the title first.";
export const NAME_KEPT = "The record keeps the project's name.";

/**
 * Destructive commands need both `--force` and a confirmation text
 * (docs/contract/command-line.md#22-further-operations).
 */
export const confirmFlags = {
  force: booleanFlag("required, as a safeguard"),
  confirm: textFlag("the confirmation text, instead of typing it when asked", "<text>"),
};

interface ConfirmContext {
  readonly context: ProcessContext;
  readonly id?: string | undefined;
  readonly argv: readonly string[];
}

/** For a command that has no flag `--force`, the confirmation text is enough. */
type ConfirmFlags = Partial<InferredFlags<typeof confirmFlags>>;

/**
 * Returns the request header with the confirmation text, from `--confirm` or typed at a terminal. Throws a usage error
 * if `--force` is missing. Without `--confirm` and without a terminal, throws an error that shows the whole command
 * line to type. `kept` is a text that is shown before the confirmation. It says what is not erased, or what else
 * happens.
 */
export async function confirmation(
  command: ConfirmContext,
  { force, confirm }: ConfirmFlags,
  expected: () => Promise<string>,
  kept?: string,
): Promise<{ readonly "x-svc-confirm"?: string }> {
  const { stderr, readLine } = command.context;
  const forceFlag = force === undefined ? [] : ["--force"];
  if (force === false) {
    const text = stderr.isTerminal ? undefined : await expected();
    throw usage(withKept("this needs --force", kept), wholeLine(command, forceFlag, text));
  }
  if (confirm !== undefined) return { "x-svc-confirm": confirm };
  const text = await expected();
  if (!stderr.isTerminal) {
    throw new CommandError("confirm", withKept(`confirm with: ${text}`, kept), {
      code: "confirm_required",
      hint: wholeLine(command, forceFlag, text),
      data: { expected: text },
    });
  }
  if (kept !== undefined) stderr.write(`${kept}\n`);
  stderr.write(`Type ${text} to confirm: `);
  const typed = readLine();
  return typed === undefined ? {} : { "x-svc-confirm": typed };
}

function withKept(message: string, kept: string | undefined): string {
  return kept === undefined ? message : `${message}. ${kept}`;
}

function wholeLine(
  { id = "", argv }: ConfirmContext,
  force: readonly string[],
  text: string | undefined,
): string {
  const others = argv.filter((word, at) => {
    return !/^--(?:force|confirm)(?:=|$)/.test(word) && argv[at - 1] !== "--confirm";
  });
  const confirm = text === undefined ? [] : ["--confirm", text];
  const words = [...id.split(":"), ...others, ...force, ...confirm];
  return `svc ${words.map(shellWord).join(" ")}`;
}
