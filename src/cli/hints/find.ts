import { HINTS_BY_EXTRA_WORD, HINTS_BY_WORDS, NOUNS, type WordHint } from "./words.ts";

/**
 * Returns the hint for words that do not name a command. The longest beginning of `words` that has a hint counts, such
 * as `label list` before `label`. A beginning must have at least `least` words.
 */
export function wordHint(
  words: readonly string[],
  least: number,
  isCommand: (word: string) => boolean,
): string | undefined {
  const found = longestMatch(words, least);
  if (found !== undefined) return hintText(found);
  const [noun = "", ...rest] = words;
  if (least > 1 || !NOUNS.has(lookupKey(noun))) return undefined;
  if (isCommand(rest[0] ?? "")) return `leave out ${JSON.stringify(noun)}: svc ${rest[0]}`;
  return wordHint(rest, 1, isCommand) ?? "use svc list, or svc show <ref>";
}

/**
 * Looks up a command together with the words typed after it, as in `svc comment add`. Returns a hint if another tracker
 * has a command of that name.
 */
export function afterCommandHint(id: string, argv: readonly string[]): string | undefined {
  const flag = argv.findIndex((word) => word.startsWith("-"));
  const name = id.split(":");
  const words = argv.slice(0, flag === -1 ? argv.length : flag);
  const found = longestMatch([...name, ...words], name.length + 1);
  return found && hintText(found);
}

export function extraWordHint(id: string): string | undefined {
  const line = Object.hasOwn(HINTS_BY_EXTRA_WORD, id) ? HINTS_BY_EXTRA_WORD[id] : undefined;
  return line && `use ${line}`;
}

function longestMatch(words: readonly string[], least: number): WordHint | undefined {
  const typed = words.map(lookupKey);
  for (let count = Math.min(MAX_WORDS, typed.length); count >= least; count--) {
    const hint = HINTS_BY_WORDS.get(typed.slice(0, count).join(" "));
    if (hint !== undefined) return hint;
  }
  return undefined;
}

const MAX_WORDS = 3;

function lookupKey(word: string): string {
  return word.toLowerCase().replaceAll("_", "-");
}

function hintText({ line, remark }: WordHint): string {
  return `use ${line}${remark === undefined ? "" : ` (${remark})`}`;
}
