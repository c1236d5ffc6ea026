import * as Args from "@oclif/core/args";
import * as Flags from "@oclif/core/flags";
import type { InferredFlags } from "@oclif/core/interfaces";

interface Rules {
  readonly exclusive?: string[];
  readonly dependsOn?: string[];
  readonly aliases?: string[];
  readonly char?: "a" | "l" | "m" | "n" | "o" | "p" | "q" | "y";
  readonly helpGroup?: string;
}

export function textFlag(summary: string, helpValue: string, rules: Rules = {}) {
  return Flags.string({ summary, helpValue, ...rules });
}

export function requiredFlag(summary: string, helpValue: string) {
  return Flags.string({ summary, helpValue, required: true });
}

export function listFlag(summary: string, helpValue: string, rules: Rules = {}) {
  return Flags.string({ summary, helpValue, multiple: true, multipleNonGreedy: true, ...rules });
}

/** A flag that is `false` unless it is given: oclif leaves it undefined, and `SvcCommand.parse` fills it in. */
export function booleanFlag(summary: string, rules: Rules = {}) {
  return Flags.boolean({ summary, ...rules });
}

/** A flag with a `--no-` form; `initial` is its value if neither form is given. */
export function onOffFlag<T extends boolean | undefined>(
  summary: string,
  initial: T,
  rules: Rules = {},
) {
  const defaults = initial === undefined ? {} : { default: initial };
  return Flags.boolean<boolean | T>({ summary, allowNo: true, ...defaults, ...rules });
}

export function integerFlag(
  summary: string,
  helpValue: string,
  rules: Rules & { readonly min?: number; readonly max?: number } = {},
) {
  return Flags.integer({ summary, helpValue, ...rules });
}

const everywhere = { helpGroup: "GLOBAL" };

/** The flags of every command (docs/contract/command-line.md#11-global-flags). */
export const globalFlags = {
  workspace: textFlag(
    "look for the project from this directory instead of the current one",
    "<path>",
    everywhere,
  ),
  project: textFlag(
    "use this project instead of the workspace's own; default SVC_PROJECT",
    "<name>",
    everywhere,
  ),
  daemon: textFlag("use this daemon of your config.toml", "<name>", everywhere),
  as: textFlag("who acts; default SVC_AUTHOR, USER or git's user.name", "<actor>", everywhere),
  teammate: textFlag(
    'handle to credit beside the actor; default SVC_TEAMMATE, "" for nobody',
    "<handle>",
    everywhere,
  ),
  json: booleanFlag("print JSON, the same as --format json", everywhere),
  agent: booleanFlag("print short lines made for agents, the same as --format agent", everywhere),
  format: listFlag("how to print: human, json or agent", "<format>", everywhere),
  quiet: booleanFlag("print ids only, one a line, of the issues that the answer names; else less", {
    char: "q",
    ...everywhere,
  }),
};

type GlobalValues = InferredFlags<typeof globalFlags> & { readonly fence: number };

export type Globals = { readonly [Name in keyof GlobalValues]?: GlobalValues[Name] | undefined };

/**
 * A required positional word. `ignoreStdin` prevents oclif from reading a missing word from stdin, which may contain
 * other data.
 */
export function arg(summary: string) {
  return Args.string({ description: summary, required: true, ignoreStdin: true });
}

export function optionalArg(summary: string) {
  return Args.string({ description: summary, ignoreStdin: true });
}

export function restArg(summary: string) {
  return Args.string({ description: summary, required: true, ignoreStdin: true, multiple: true });
}

export function refsArg() {
  return restArg(
    "the issues: short ids, project#id or full uids; - reads them from standard input",
  );
}

export function refArg() {
  return arg("the issue: its short id, project#id or full uid");
}

const bodySources = {
  "body-file": textFlag("read the text from this file, or - for standard input", "<path>", {
    exclusive: ["body", "body-stdin"],
  }),
  "body-stdin": booleanFlag("read the text from standard input; the same as --body-file -", {
    exclusive: ["body", "body-file"],
  }),
};
const exclusive = Object.keys(bodySources);

export const bodyFlags = {
  body: textFlag("the text", "<text>", { char: "m", exclusive }),
  ...bodySources,
};

/** Comments also accept `--message`, as in git. */
export const commentBodyFlags = {
  body: textFlag("the text; --message is the same", "<text>", {
    char: "m",
    aliases: ["message"],
    exclusive,
  }),
  ...bodySources,
};

/** Commands that change an issue or its lease send this number with each change. */
export const fenceFlag = {
  fence: integerFlag("refuse unless the lease with this fence is held", "<n>", { min: 1 }),
};

export const commentFlag = {
  comment: textFlag("also add this comment", "<text>"),
};

export const ifMatchFlag = {
  "if-match": textFlag("refuse if its revision has changed", "<n|rev-n>"),
};

export function examples(lines: Readonly<Record<string, string>>) {
  return Object.entries(lines).map(([description, command]) => ({ description, command }));
}
