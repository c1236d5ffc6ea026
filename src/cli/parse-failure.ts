import { stripVTControlCharacters } from "node:util";
import { nearest } from "../shared/nearest.ts";
import { CommandError, type Failure, usage } from "./failure.ts";

export interface Expected {
  readonly flags: Readonly<
    Record<
      string,
      { readonly type: string; readonly aliases?: readonly string[]; readonly allowNo?: boolean }
    >
  >;
  readonly args: readonly string[];
}

/**
 * Turns an error of oclif's parser into one line with a hint, exit code 2 (facts cli-and-config 1.1, 1.2); `undefined`
 * for other errors.
 */
export function parseFailure(error: unknown, expected: Expected): Failure | undefined {
  if (!(error instanceof Error) || error instanceof CommandError || !("oclif" in error))
    return undefined;
  return complaint(error, expected).failure;
}

function complaint(error: Error, expected: Expected): CommandError {
  // Recognized by their fields, because a bundler may rename the classes.
  const flags = "flags" in error ? list(error.flags) : [];
  const args = "args" in error ? list(error.args) : [];
  if (typeof flags[0] === "string") return unknownFlag(flags[0], expected);
  if (typeof args[0] === "string") return unexpected(args[0], expected);
  if (args.length > 0) return missing(args);
  return usage(plainMessage(error.message));
}

/** A word with a leading dash is never taken for an argument, since it may be a mistyped flag. */
function unknownFlag(word: string, { flags, args }: Expected): CommandError {
  const [typed = word] = word.split("=", 1);
  if (typed === "--fence")
    return usage(
      "this command takes no --fence",
      "only commands that change one issue, or its lease, can be held to a fence",
    );
  const known = Object.entries(flags).flatMap(([name, { aliases, allowNo }]) => {
    return [name, ...(aliases ?? []), ...(allowNo === true ? [`no-${name}`] : [])].map(
      (each) => `--${each}`,
    );
  });
  const near = typed.startsWith("--") ? nearest(typed, [...known, "--help"]) : undefined;
  const hints = [
    ...(near === undefined ? [] : [`did you mean ${near}?`]),
    ...(args[0] === undefined ? [] : [dashHint(word, args[0])]),
  ];
  return usage(`unknown flag ${typed}`, hints.join(" ") || "--help lists the flags");
}

export function dashHint(word: string, arg: string): string {
  return `If ${JSON.stringify(word)} is the ${arg}, put -- before it.`;
}

function unexpected(word: string, { args }: Expected): CommandError {
  const hint = args.includes("title")
    ? "put a title of several words in quotes"
    : `it takes ${args.length === 0 ? "no arguments" : `only ${args.map((arg) => `<${arg}>`).join(" ")}`}`;
  return usage(`unexpected argument ${JSON.stringify(word)}`, hint);
}

function missing(args: readonly unknown[]): CommandError {
  const names = args.flatMap((arg) => (hasName(arg) ? [`<${String(arg.name)}>`] : []));
  return usage(`missing ${names.join(" ")}`, "--help shows how the command is used");
}

/** The message without colours and oclif's frame, each reason once. */
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
    (_all, flag = "", given = "", options = "") =>
      `${flag}: ${JSON.stringify(given)} is none of ${options}`,
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
