import { stripVTControlCharacters } from "node:util";
import { nearest } from "../../shared/nearest.ts";
import { CommandError, type Failure, usage } from "./failure.ts";

export interface ExpectedWords {
  readonly id: string;
  readonly argv: readonly string[];
  readonly flags: Readonly<
    Record<
      string,
      {
        readonly type: string;
        readonly aliases?: readonly string[];
        readonly allowNo?: boolean;
        readonly hidden?: boolean;
      }
    >
  >;
  readonly args: readonly string[];
}

/**
 * Turns an error of oclif's parser into a one-line usage failure with a hint
 * (docs/contract/command-line.md#11-global-flags and docs/contract/command-line.md#12-exit-codes); returns `undefined`
 * for other errors.
 */
export async function parseFailure(
  error: unknown,
  expected: ExpectedWords,
): Promise<Failure | undefined> {
  if (!(error instanceof Error) || error instanceof CommandError || !("oclif" in error))
    return undefined;
  return (await usageError(error, expected)).failure;
}

async function usageError(error: Error, expected: ExpectedWords): Promise<CommandError> {
  // Recognize the errors by their fields, because a bundler may rename their classes.
  const flags = "flags" in error ? list(error.flags) : [];
  const args = "args" in error ? list(error.args) : [];
  if (typeof flags[0] === "string") return await unknownFlag(flags[0], expected);
  const { afterCommandHint, extraWordHint } = await import("../hints/find.ts");
  const { id, argv } = expected;
  const hint = afterCommandHint(id, argv);
  if (typeof args[0] === "string")
    return unexpectedArgumentError(args[0], hint ?? extraWordHint(id) ?? argumentsHint(expected));
  if (args.length > 0) return missingArgumentsError(args, expected, hint);
  return usage(plainMessage(error.message), hint);
}

/**
 * A word with a leading dash is reported as an unknown flag, never as a superfluous argument, since it may be a
 * mistyped flag.
 */
async function unknownFlag(
  word: string,
  { id, flags, args }: ExpectedWords,
): Promise<CommandError> {
  const [typed = word] = word.split("=", 1);
  if (typed === "--fence")
    return usage(
      "this command takes no --fence",
      "only commands that change one issue, or its lease, can be held to a fence",
    );
  const shown = Object.entries(flags).filter(([, { hidden }]) => hidden !== true);
  const known = shown.flatMap(([name, { aliases = [], allowNo }]) => {
    return [name, ...aliases, ...(allowNo === true ? [`no-${name}`] : [])].map(
      (each) => `--${each}`,
    );
  });
  const { flagHint } = await import("../hints/flags.ts");
  const hint = flagHint(id, typed, { flags: new Set(shown.map(([name]) => name)), args });
  const near = typed.startsWith("--") ? nearest(typed, [...known, "--help"]) : undefined;
  const hints = [
    hint ?? (near === undefined ? "" : `did you mean ${near}?`),
    args[0] === undefined || args[0] === "ref" ? "" : dashHint(word, args[0]),
  ].filter((text) => text !== "");
  return usage(`unknown flag ${typed}`, hints.join(" ") || "--help lists the flags");
}

export function dashHint(word: string, arg: string): string {
  return `If ${JSON.stringify(word)} is the ${arg}, put -- before it.`;
}

function unexpectedArgumentError(word: string, hint: string): CommandError {
  return usage(`unexpected argument ${JSON.stringify(word)}`, hint);
}

function argumentsHint({ args }: ExpectedWords): string {
  if (args.includes("title")) return "put a title of several words in quotes";
  return `it takes ${args.length === 0 ? "no arguments" : `only ${args.map((arg) => `<${arg}>`).join(" ")}`}`;
}

/**
 * Returns the error that names the missing arguments. If a command such as `svc label add <ref>... <label>` gets a
 * single word, oclif takes the word as the label and reports the ref as missing. People write from left to right, so
 * the error names the last argument instead.
 */
function missingArgumentsError(
  args: readonly unknown[],
  expected: ExpectedWords,
  hint = "--help shows how the command is used",
) {
  const named = args.filter(hasName);
  const isRest = named.some((arg) => "multiple" in arg && arg.multiple === true);
  const last = isRest ? expected.args.slice(-named.length) : named.map(({ name }) => String(name));
  const names = last.map((name) => `<${name}>`);
  return usage(`missing ${names.join(" ")}`, hint);
}

/**
 * Rewords a message of oclif, and removes colours, the lines that oclif prints around each message, and repeated
 * reasons.
 */
function plainMessage(message: string): string {
  const lines = REWORDED.reduce(
    (text, [theirs, ours]) => text.replace(theirs, ours),
    stripVTControlCharacters(message),
  )
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "" && !FRAME.test(line));
  const inFlag = /^Parsing (--\S+)$/.exec(lines[0] ?? "");
  const reasons =
    inFlag === null ? lines : [`${inFlag[1]}: ${lines.slice(1).map(lowerFirst).join("; ")}`];
  return [...new Set(reasons.map(lowerFirst))].join("; ");
}

const FRAME = /^See more help with --help$|^The following errors? occurred:$/;

type Words = (all: string, ...groups: string[]) => string;

const REWORDED: readonly (readonly [RegExp, Words])[] = [
  [
    /--([\w-]+)=.*? cannot also be provided when using --([\w-]+)/gs,
    (_all, one = "", other = "") =>
      `--${[one, other].sort().join(" and --")} cannot be used together`,
  ],
  [
    /All of the following must be provided when using (--[\w-]+): (.*)/g,
    (_all, flag = "", needed = "") => `${flag} needs ${needed}`,
  ],
  [
    /Expected (--[\w-]+)=(.*?) to be one of: (.*)/gs,
    (_all, flag = "", value = "", options = "") =>
      `${flag}: ${JSON.stringify(value)} is none of ${options}`,
  ],
];

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function hasName(value: unknown): value is { readonly name: unknown } {
  return typeof value === "object" && value !== null && "name" in value;
}
