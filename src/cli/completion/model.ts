import type { HelpCommand, HelpFlag } from "../render/help.ts";

export type Values = readonly string[] | "files" | "anything";

export interface Offer {
  readonly word: string;
  readonly summary: string;
}

export interface CompletedFlag extends Offer {
  readonly values: Values | undefined;
}

export interface CompletedCommand {
  /** The words of the command or of an alias, separated by spaces. */
  readonly name: string;
  /** The command's own flags, without the flags that all commands have. */
  readonly flags: readonly CompletedFlag[];
  readonly args: readonly Values[];
}

export interface Completions {
  readonly commands: readonly CompletedCommand[];
  readonly flags: readonly CompletedFlag[];
  /** For each beginning of a command's name, the words that can follow it; "" is the start of the line. */
  readonly below: ReadonlyMap<string, readonly Offer[]>;
}

export function completionsOf(commands: readonly HelpCommand[]): Completions {
  const named = commands.flatMap((command) =>
    [command.id, ...command.aliases].map((id) => ({ name: id.replaceAll(":", " "), command })),
  );
  const below = new Map<string, Map<string, string>>();
  for (const { name, command } of named) {
    const words = name.split(" ");
    for (const [place, word] of words.entries()) {
      const before = words.slice(0, place).join(" ");
      const offers = below.get(before) ?? new Map<string, string>();
      below.set(before, offers);
      const isWhole = place === words.length - 1;
      if (isWhole) offers.set(word, command.summary ?? "");
      else if (!offers.has(word)) offers.set(word, `${words.slice(0, place + 1).join(" ")} ...`);
    }
  }
  return {
    commands: named.map(({ name, command }) => completedCommand(name, command)),
    flags: [
      ...flagsOf(
        commands.find(({ id }) => id === "list"),
        true,
      ),
      HELP,
    ].sort(byWord),
    below: new Map([...below].map(([before, offers]) => [before, sorted(offers)])),
  };
}

function sorted(offers: ReadonlyMap<string, string>): readonly Offer[] {
  return [...offers].map(([word, summary]) => ({ word, summary })).sort(byWord);
}

function byWord(left: Offer, right: Offer): number {
  return left.word < right.word ? -1 : 1;
}

const HELP: CompletedFlag = { word: "--help", summary: "show help", values: undefined };

function completedCommand(name: string, command: HelpCommand): CompletedCommand {
  return {
    name,
    flags: [...flagsOf(command, false)].sort(byWord),
    args: Object.entries(command.args).flatMap(([arg, { options, multiple }]) => {
      const values = options ?? (PATHS.has(`<${arg}>`) ? "files" : "anything");
      return multiple === true
        ? Array.from({ length: REPEATED_ARGUMENTS }, () => values)
        : [values];
    }),
  };
}

function flagsOf(command: HelpCommand | undefined, everywhere: boolean): readonly CompletedFlag[] {
  return Object.entries(command?.flags ?? {})
    .filter(
      ([, { hidden, helpGroup }]) => hidden !== true && (helpGroup !== undefined) === everywhere,
    )
    .flatMap(([name, flag]) => wordsOf(name, flag));
}

/** Completion treats an argument that may be repeated as this many arguments. */
const REPEATED_ARGUMENTS = 9;

function wordsOf(name: string, flag: HelpFlag): readonly CompletedFlag[] {
  const { summary = "", char, allowNo } = flag;
  const values = flag.type === "boolean" ? undefined : valuesOf(name, flag);
  const words = [
    `--${name}`,
    ...(char === undefined ? [] : [`-${char}`]),
    ...(allowNo === true ? [`--no-${name}`] : []),
  ];
  return words.map((word) => ({ word, summary, values }));
}

const PATHS = new Set(["<path>", "<file>", "<database>"]);
const FORMATS = ["human", "json", "agent"];

function valuesOf(name: string, { options, helpValue }: HelpFlag): Values {
  if (options !== undefined) return options;
  if (name === "format") return FORMATS;
  const value = [helpValue ?? ""].flat().join(" ");
  if (value.startsWith("<0-4")) return ["0", "1", "2", "3", "4"];
  return PATHS.has(value) ? "files" : "anything";
}
