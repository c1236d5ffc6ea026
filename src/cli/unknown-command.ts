import { nearest } from "./nearest.ts";

/** Says that there is no such command, and which one may have been meant. Gives the exit code. */
export function unknownCommand(argv: readonly string[], ids: readonly string[]): number {
  const { message, hint } = describe(argv, ids);
  process.stderr.write(`${render(argv, message, hint)}\n`);
  return 2;
}

export function describe(
  argv: readonly string[],
  ids: readonly string[],
): { readonly message: string; readonly hint: string } {
  const flag = argv.findIndex((word) => word.startsWith("-"));
  if (flag === 0) {
    return { message: `no command before ${argv[0]}`, hint: "flags come after the command" };
  }
  const words = flag === -1 ? argv : argv.slice(0, flag);
  const names = [...new Set(ids.map((id) => id.replaceAll(":", " ")))];
  // The words that lead to a topic are right; the next one is not.
  let known = 0;
  while (names.some((name) => name.startsWith(`${words.slice(0, known + 1).join(" ")} `))) known++;
  const typed = words.slice(0, known + 1).join(" ");
  const meant = nearest(typed, names) ?? nearest(typed, topicsOf(names));
  const hint = meant === undefined ? "svc --help lists the commands" : `did you mean svc ${meant}?`;
  return { message: `unknown command ${JSON.stringify(typed)}`, hint };
}

function topicsOf(names: readonly string[]): Set<string> {
  return new Set(
    names.flatMap((name) => (name.includes(" ") ? [name.split(" ", 1)[0] ?? ""] : [])),
  );
}

/** No command's flags are parsed at this point, so the mode is read off the words themselves. */
function render(argv: readonly string[], message: string, hint: string): string {
  const text = `${message}; ${hint}`;
  const asked = (mode: string): boolean =>
    argv.includes(`--${mode}`) ||
    argv.includes(`--format=${mode}`) ||
    argv.some((word, place) => word === "--format" && argv[place + 1] === mode);
  if (asked("json")) {
    return JSON.stringify({ error: { kind: "usage", message: text, exit_code: 2 } });
  }
  if (asked("agent")) return `ERR svc usage: ${message}\nHint: ${hint}\nExit-Code: 2`;
  return `svc: ${text}`;
}
