import { twoColumns, wrap } from "./columns.ts";
import { GROUPS } from "./help-groups.ts";
import { widthOf } from "./width.ts";

export interface HelpFlag {
  readonly char?: string | undefined;
  readonly summary?: string | undefined;
  readonly description?: string | undefined;
  readonly helpValue?: string | readonly string[] | undefined;
  readonly helpGroup?: string | undefined;
  readonly type: string;
  readonly options?: readonly string[] | undefined;
  readonly hidden?: boolean | undefined;
  readonly required?: boolean | undefined;
  readonly allowNo?: boolean | undefined;
}

export interface HelpArg {
  readonly options?: readonly string[] | undefined;
  readonly description?: string | undefined;
  readonly required?: boolean | undefined;
  readonly multiple?: boolean | undefined;
}

export interface HelpCommand {
  readonly id: string;
  readonly summary?: string | undefined;
  readonly description?: string | undefined;
  readonly args: Readonly<Record<string, HelpArg>>;
  readonly flags: Readonly<Record<string, HelpFlag>>;
  readonly aliases: readonly string[];
  readonly examples?:
    | readonly (string | { readonly command: string; readonly description: string })[]
    | undefined;
}

interface Section {
  readonly title: string;
  readonly lines: readonly string[];
}

export function rootHelp(commands: readonly HelpCommand[], columns: number): string {
  const byId = new Map(commands.map((command) => [command.id, command]));
  const grouped = new Set(GROUPS.flatMap((group) => group.commands));
  const others = commands.filter(({ id }) => !grouped.has(id)).map(({ id }) => id);
  const width = Math.max(...commands.map(({ id }) => id.length));
  const sections = [...GROUPS, { title: "More", commands: others }].map(
    ({ title, commands: ids }) => ({
      title,
      lines: ids.flatMap((id) => {
        const command = byId.get(id);
        return command === undefined
          ? []
          : twoColumns(nameOf(id), summaryOf(command), width, columns);
      }),
    }),
  );
  return page(
    columns,
    "svc: an issue tracker that lives on your machine, for people and coding agents",
    [
      {
        title: "Usage",
        lines: [
          "svc <command> [flags]",
          "svc <command> --help",
          ...twoColumns("svc quickstart", "how to work with it, on one page", 20, columns),
        ],
      },
      ...sections,
    ],
  );
}

/** The help for a topic: a word, such as `label`, that is only the beginning of other commands' names. */
export function topicHelp(
  topic: string,
  commands: readonly HelpCommand[],
  columns: number,
): string {
  return page(columns, `svc ${nameOf(topic)} takes one of these words`, [
    subcommands(topic, commands, columns),
  ]);
}

function subcommands(topic: string, commands: readonly HelpCommand[], columns: number): Section {
  const below = commands.filter(({ id }) => id.startsWith(`${topic}:`));
  const width = Math.max(0, ...below.map(({ id }) => id.length + 4));
  const lines = below.flatMap((command) =>
    twoColumns(`svc ${nameOf(command.id)}`, summaryOf(command), width, columns),
  );
  return { title: "Commands", lines };
}

export function commandHelp(
  command: HelpCommand,
  all: readonly HelpCommand[],
  columns: number,
): string {
  const { id, description, args, flags, aliases } = command;
  const own = Object.entries(flags).filter(
    ([, { hidden, helpGroup }]) => hidden !== true && helpGroup === undefined,
  );
  const global = Object.entries(flags).filter(
    ([, { hidden, helpGroup }]) => hidden !== true && helpGroup !== undefined,
  );
  const width = Math.max(
    ...[...own, ...global].map(([name, flag]) => widthOf(flagLabel(name, flag))),
    ...Object.keys(args).map((name) => name.length + 2),
  );
  const argLines = Object.entries(args).flatMap(([name, arg]) => {
    return twoColumns(`<${name}>`, arg.description ?? "", width, columns);
  });
  return page(columns, summaryOf(command), [
    ...(description === undefined
      ? []
      : [{ title: "", lines: description.split("\n").flatMap((text) => prose(text, columns)) }]),
    { title: "Usage", lines: [usageOf(command, own.length > 0)] },
    { title: "Arguments", lines: argLines },
    { title: "Flags", lines: flagLines(own, width, columns) },
    { title: "Examples", lines: exampleLines(command) },
    subcommands(id, all, columns),
    { title: "Also called", lines: aliases.map((alias) => `svc ${nameOf(alias)}`) },
    { title: "Flags of every command", lines: flagLines(global, width, columns) },
  ]);
}

/** A line that begins with spaces is an example to copy, so it is never wrapped. */
function prose(text: string, columns: number): readonly string[] {
  return text.startsWith("  ") ? [text] : wrap(text, columns);
}

export function usageOf({ id, args }: HelpCommand, hasFlags: boolean): string {
  const words = Object.entries(args).map(([name, { required, multiple }]) => {
    const word = `<${name}>${multiple === true ? "..." : ""}`;
    return required === true ? word : `[${word}]`;
  });
  return ["svc", nameOf(id), ...words, ...(hasFlags ? ["[flags]"] : [])].join(" ");
}

type NamedFlag = readonly [string, HelpFlag];

function flagLines(flags: readonly NamedFlag[], width: number, columns: number): readonly string[] {
  return flags.flatMap(([name, flag]) =>
    twoColumns(flagLabel(name, flag), flagText(flag), width, columns),
  );
}

/** What a flag does, with the values that it takes if these are words. */
export function flagText({ summary, description, options }: HelpFlag): string {
  const values =
    options === undefined || options.every((option) => /^\d$/.test(option))
      ? ""
      : ` (${options.join(", ")})`;
  return `${summary ?? description ?? ""}${values}`;
}

export function flagLabel(name: string, { char, helpValue, type }: HelpFlag): string {
  const value = type === "boolean" ? "" : ` ${[helpValue ?? "<value>"].flat().join(" ")}`;
  return `${char === undefined ? "" : `-${char}, `}--${name}${value}`;
}

function exampleLines({ examples = [] }: HelpCommand): readonly string[] {
  return examples.flatMap((example) => {
    if (typeof example === "string") return [exampleCommand(example)];
    return [`# ${example.description}`, exampleCommand(example.command)];
  });
}

export function exampleCommand(text: string): string {
  return text.replaceAll("<%= config.bin %>", "svc");
}

export function nameOf(id: string): string {
  return id.replaceAll(":", " ");
}

/** A plugin's command may have only a description; then its first sentence is the summary. */
export function summaryOf({ summary, description = "" }: HelpCommand): string {
  if (summary !== undefined) return summary;
  const [first = ""] = description.split(/\.(?:\s|$)/, 1);
  return first.charAt(0).toLowerCase() + first.slice(1);
}

function page(columns: number, title: string, sections: readonly Section[]): string {
  const blocks = sections
    .filter(({ lines }) => lines.length > 0)
    .map(({ title: name, lines }) =>
      name === "" ? lines.join("\n") : [`${name}:`, ...lines.map((line) => `  ${line}`)].join("\n"),
    );
  return [wrap(title, columns).join("\n"), ...blocks].join("\n\n");
}
