import { EXIT_CODE_GUIDE } from "../../src/cli/agent-files/guide.ts";
import {
  exampleCommand,
  flagLabel,
  flagText,
  type HelpCommand,
  type HelpFlag,
  nameOf,
  summaryOf,
  usageOf,
} from "../../src/cli/render/help.ts";
import { GROUPS } from "../../src/cli/render/help-groups.ts";

interface Release {
  readonly version: string;
  /** The day that the pages show, such as 2026-12-01. */
  readonly day: string;
}

/**
 * The manual pages in the format of man(7), by the names of their files. There is one for svc, one for each command and
 * each topic (`svc-cron-job-list.1`, `svc-cron.1`), and one for each alias, which only names the page of its command. The
 * texts are those of `svc --help`.
 */
export function manPages(
  commands: readonly HelpCommand[],
  release: Release,
): ReadonlyMap<string, string> {
  const page = (id: string, sections: readonly string[]): readonly [string, string] => {
    const { version, day } = release;
    const title = `.TH ${pageName(id).toUpperCase()} 1 ${day} "svc ${version}" "svc manual"`;
    return [fileOf(id), `${[title, ...sections].join("\n")}\n`];
  };
  const ids = new Set(commands.map(({ id }) => id));
  const topics = new Set([...ids].flatMap(topicsOf).filter((topic) => !ids.has(topic)));
  const aliases = commands.flatMap(({ id, aliases: names }) =>
    names.map((name) => [fileOf(name), `.so man1/${fileOf(id)}\n`] as const),
  );
  const pages = [
    page("", overview(commands)),
    ...commands.map((command) => page(command.id, ofCommand(command, commands))),
    ...[...topics].map((topic) => page(topic, ofTopic(topic, commands))),
    ...aliases,
  ];
  return new Map(pages.sort(([a], [b]) => (a < b ? -1 : 1)));
}

function overview(commands: readonly HelpCommand[]): readonly string[] {
  const byId = new Map(commands.map((command) => [command.id, command]));
  const grouped = GROUPS.flatMap(({ title, commands: ids }) => [
    `.SS ${escaped(title)}`,
    ...ids.flatMap((id) => entry(byId.get(id))),
  ]);
  const [first] = commands;
  const shared = first === undefined ? [] : Object.entries(first.flags).filter(isShared);
  return [
    ...nameSection("", "an issue tracker that lives on your machine, for people and coding agents"),
    ".SH SYNOPSIS",
    ...["svc <command> [flags]", "svc <command> --help"].flatMap(copied),
    ".SH DESCRIPTION",
    escaped(
      "svc quickstart says on one page how to work with it. Each command has a page of its own:",
    ),
    `${bold("man svc-list")} is that of ${bold("svc list")}.`,
    ".SH COMMANDS",
    ...grouped,
    ".SH OPTIONS OF EVERY COMMAND",
    ...shared.flatMap(flagEntry),
    ".SH EXIT STATUS",
    ...copied(EXIT_CODE_GUIDE),
  ];
}

function ofCommand(command: HelpCommand, all: readonly HelpCommand[]): readonly string[] {
  const { id, args, flags, aliases, description } = command;
  const own = Object.entries(flags).filter((flag) => flag[1].hidden !== true && !isShared(flag));
  const arg = ([name, { description: text = "" }]: [string, HelpCommand["args"][string]]) => [
    ...[".TP", bold(`<${name}>`), escaped(text)],
  ];
  return [
    ...nameSection(id, summaryOf(command)),
    ".SH SYNOPSIS",
    ...copied(usageOf(command, own.length > 0)),
    ...section("DESCRIPTION", description === undefined ? [] : prose(description)),
    ...section("ARGUMENTS", Object.entries(args).flatMap(arg)),
    ...section("OPTIONS", own.flatMap(flagEntry)),
    ...section("COMMANDS", below(id, all)),
    ...section("EXAMPLES", examples(command)),
    ...section(
      "ALSO CALLED",
      aliases.flatMap((alias) => copied(`svc ${nameOf(alias)}`)),
    ),
    ...seeAlso(id),
  ];
}

function ofTopic(topic: string, all: readonly HelpCommand[]): readonly string[] {
  return [
    ...nameSection(topic, "the commands that begin with these words"),
    ".SH SYNOPSIS",
    ...copied(`svc ${nameOf(topic)} <command>`),
    ".SH COMMANDS",
    ...below(topic, all),
    ...seeAlso(topic),
  ];
}

function below(id: string, all: readonly HelpCommand[]): readonly string[] {
  return all.filter((command) => command.id.startsWith(`${id}:`)).flatMap(entry);
}

function entry(command: HelpCommand | undefined): readonly string[] {
  if (command === undefined) return [];
  return [".TP", `${bold(pageName(command.id))}(1)`, escaped(summaryOf(command))];
}

function nameSection(id: string, summary: string): readonly string[] {
  return [".SH NAME", `${escaped(pageName(id))} \\- ${escaped(summary)}`];
}

function section(title: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : [`.SH ${title}`, ...lines];
}

/** The page of svc, which has the flags of every command, and the pages of the topics that this page is below. */
function seeAlso(id: string): readonly string[] {
  const names = ["", ...topicsOf(id)].map((other) => `${bold(pageName(other))}(1)`).join(", ");
  return [".SH SEE ALSO", `${names}. The options of every command are in ${bold("svc")}(1).`];
}

function flagEntry([name, flag]: [string, HelpFlag]): readonly string[] {
  return [".TP", bold(flagLabel(name, flag)), escaped(flagText(flag))];
}

function isShared([, { hidden, helpGroup }]: [string, HelpFlag]): boolean {
  return hidden !== true && helpGroup !== undefined;
}

function examples({ examples: given = [] }: HelpCommand): readonly string[] {
  return given.flatMap((example) => {
    if (typeof example === "string") return copied(exampleCommand(example));
    return [".PP", escaped(`${example.description}:`), ...copied(exampleCommand(example.command))];
  });
}

/** Paragraphs. A line that begins with spaces is an example to copy, so it is set as it is. */
function prose(text: string): readonly string[] {
  return text.split("\n").flatMap((line) => {
    if (line.startsWith("  ")) return copied(line);
    return line === "" ? [] : [".PP", escaped(line)];
  });
}

/** Lines that are neither filled nor hyphenated. */
function copied(text: string): readonly string[] {
  return [".PP", ".nf", ...text.trimEnd().split("\n").map(escaped), ".fi"];
}

function bold(text: string): string {
  return `\\fB${escaped(text)}\\fP`;
}

const SPECIAL: Readonly<Record<string, string>> = {
  "\\": "\\e",
  "-": "\\-",
  "'": "\\(aq",
  "`": "\\(ga",
  "^": "\\(ha",
  "~": "\\(ti",
};

/**
 * Text as it is typed: groff would set some characters as others, such as a hyphen for a minus, and would take a line that
 * begins with a dot for a command. Characters that are not ASCII get groff's names, since pages may be read in any locale.
 */
function escaped(text: string): string {
  const plain = text
    .replaceAll(/[\\\-'`^~]/g, (char) => SPECIAL[char] ?? char)
    .replaceAll(/[^\0-\x7f]/gu, (char) => {
      return `\\[u${(char.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}]`;
    });
  return plain.startsWith(".") ? `\\&${plain}` : plain;
}

/** The topics that a command is in: of cron:job:list these are cron and cron:job. */
function topicsOf(id: string): readonly string[] {
  const words = id.split(":");
  return words.slice(1).map((_word, at) => words.slice(0, at + 1).join(":"));
}

function pageName(id: string): string {
  return ["svc", ...id.split(":").filter((word) => word !== "")].join("-");
}

function fileOf(id: string): string {
  return `${pageName(id)}.1`;
}
