import { nearest } from "../shared/nearest.ts";
import { EXIT_CODES, usage } from "./failure.ts";
import { chooseMode } from "./mode.ts";
import { failureText } from "./render/failure.ts";

/** Reports an unknown command and suggests a similar one; returns the exit code. */
export function unknownCommand(argv: readonly string[], ids: readonly string[]): number {
  const { failure } = misnamed(argv, ids);
  process.stderr.write(`${failureText(failure, chooseMode(argv).mode, "svc")}\n`);
  return EXIT_CODES[failure.kind];
}

function misnamed(argv: readonly string[], ids: readonly string[]): ReturnType<typeof usage> {
  const flag = argv.findIndex((word) => word.startsWith("-"));
  if (flag === 0) return usage(`no command before ${argv[0]}`, "flags come after the command");
  const words = flag === -1 ? argv : argv.slice(0, flag);
  const names = ids.map((id) => id.replaceAll(":", " "));
  // Leading words that name a topic are right; only the word after them is wrong.
  let known = 0;
  while (names.some((name) => name.startsWith(`${words.slice(0, known + 1).join(" ")} `))) known++;
  const typed = words.slice(0, known + 1).join(" ");
  const meant = nearest(typed, names) ?? nearest(typed, topicsOf(names));
  const hint = meant === undefined ? "svc --help lists the commands" : `did you mean svc ${meant}?`;
  return usage(`unknown command ${JSON.stringify(typed)}`, hint);
}

function topicsOf(names: readonly string[]): Set<string> {
  const deep = names.filter((name) => name.includes(" "));
  return new Set(deep.map((name) => name.slice(0, name.indexOf(" "))));
}
