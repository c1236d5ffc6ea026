import * as Args from "@oclif/core/args";
import * as Flags from "@oclif/core/flags";

/** The flags of every command (facts cli-and-config 1.1). */
export const globalFlags = {
  workspace: Flags.string({
    summary: "look for the project from this directory instead of the current one",
    helpValue: "<path>",
    helpGroup: "GLOBAL",
  }),
  project: Flags.string({
    summary: "use this project instead of the workspace's own",
    helpValue: "<name>",
    helpGroup: "GLOBAL",
  }),
  daemon: Flags.string({
    summary: "use this daemon of your config.toml",
    helpValue: "<name>",
    helpGroup: "GLOBAL",
  }),
  as: Flags.string({
    summary: "who acts; default SVC_AUTHOR, USER or git's user.name",
    helpValue: "<actor>",
    helpGroup: "GLOBAL",
  }),
  teammate: Flags.string({
    summary: 'handle to credit beside the actor; default SVC_TEAMMATE, "" for nobody',
    helpValue: "<handle>",
    helpGroup: "GLOBAL",
  }),
  json: Flags.boolean({ summary: "print JSON, the same as --format json", helpGroup: "GLOBAL" }),
  agent: Flags.boolean({
    summary: "print short lines made for agents, the same as --format agent",
    helpGroup: "GLOBAL",
  }),
  format: Flags.string({
    summary: "how to print: human, json or agent",
    helpValue: "<format>",
    helpGroup: "GLOBAL",
    multiple: true,
    multipleNonGreedy: true,
  }),
  quiet: Flags.boolean({
    char: "q",
    summary: "print less: the id of what changed or nothing, lists without footers",
    helpGroup: "GLOBAL",
  }),
};

/**
 * A required positional word. Without `ignoreStdin` oclif would read a missing one from stdin, which can hold other
 * data.
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

export function refArg() {
  return arg("the issue: its short id, project#id or full uid");
}

/** A flag that may be repeated, with one value each. */
export function listFlag(summary: string, helpValue: string) {
  return Flags.string({ summary, helpValue, multiple: true, multipleNonGreedy: true });
}

export function textFlag(summary: string, helpValue: string) {
  return Flags.string({ summary, helpValue });
}

/** At most one of the three may be given. */
export const bodyFlags = {
  body: Flags.string({
    summary: "the text",
    helpValue: "<text>",
    exclusive: ["body-file", "body-stdin"],
  }),
  "body-file": Flags.string({
    summary: "read the text from this file",
    helpValue: "<path>",
    exclusive: ["body", "body-stdin"],
  }),
  "body-stdin": Flags.boolean({
    summary: "read the text from standard input",
    exclusive: ["body", "body-file"],
  }),
};

/** `-m` as in git. */
export const commentBodyFlags = {
  ...bodyFlags,
  body: Flags.string({
    char: "m",
    aliases: ["message"],
    summary: "the text; --message is the same",
    helpValue: "<text>",
    exclusive: ["body-file", "body-stdin"],
  }),
};

/** The flag of commands that change an issue or its lease; it is sent with each of their changes. */
export const fenceFlag = {
  fence: Flags.integer({
    summary: "refuse unless the lease with this fence is held",
    helpValue: "<n>",
    min: 1,
  }),
};

/** Adds a comment after the change has succeeded. */
export const commentFlag = {
  comment: textFlag("also add this comment", "<text>"),
};

/** Examples as `description: command line`. */
export function examples(lines: Readonly<Record<string, string>>) {
  return Object.entries(lines).map(([description, command]) => ({ description, command }));
}
