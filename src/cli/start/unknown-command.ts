import { nearest } from "../../shared/nearest.ts";
import { EXIT_CODES, usage } from "../failure/failure.ts";
import { wordHint } from "../hints/find.ts";
import { chooseMode } from "../output/mode.ts";
import { failureText } from "../render/failure.ts";

export function unknownCommand(argv: readonly string[], ids: readonly string[]): number {
  const { failure } = misnamed(argv, ids);
  process.stderr.write(`${failureText(failure, chooseMode(argv).mode, "svc")}\n`);
  return EXIT_CODES[failure.kind];
}

export function misnamed(
  argv: readonly string[],
  ids: readonly string[],
): ReturnType<typeof usage> {
  const names = ids.map((id) => id.replaceAll(":", " "));
  const isCommand = (word: string): boolean =>
    names.some((name) => name === word || name.startsWith(`${word} `));
  const flag = argv.findIndex((word) => word.startsWith("-"));
  if (flag === 0) {
    const hint = wordHint(argv.slice(0, 1), 1, isCommand) ?? "flags come after the command";
    return usage(`no command before ${argv[0]}`, hint);
  }
  const words = flag === -1 ? argv : argv.slice(0, flag);
  // Leading words that name a topic are right; only the word after them is wrong.
  let known = 0;
  while (names.some((name) => name.startsWith(`${words.slice(0, known + 1).join(" ")} `))) known++;
  const typed = words.slice(0, known + 1).join(" ");
  const near =
    known === 0
      ? (nearest(typed, names) ?? nearest(typed, topicsOf(names)))
      : nearestBelow(words.slice(0, known).join(" "), words[known] ?? "", names);
  const hint =
    wordHint(words, known + 1, isCommand) ??
    (near === undefined ? wordHint(words, 1, isCommand) : `did you mean svc ${near}?`) ??
    "svc --help lists the commands";
  return usage(`unknown command ${JSON.stringify(typed)}`, hint);
}

function topicsOf(names: readonly string[]): Set<string> {
  const deep = names.filter((name) => name.includes(" "));
  return new Set(deep.map((name) => name.slice(0, name.indexOf(" "))));
}

function nearestBelow(topic: string, word: string, names: readonly string[]): string | undefined {
  const below = names.filter((name) => name.startsWith(`${topic} `));
  const found = nearest(
    word,
    below.map((name) => name.slice(topic.length + 1)),
  );
  return found === undefined ? undefined : `${topic} ${found}`;
}
