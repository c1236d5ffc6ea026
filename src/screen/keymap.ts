import {
  allKeys,
  type Key,
  type KeyedScreen,
  type KeyScope,
  type ScopeList,
  scopeLists,
} from "./keys.ts";
import type { State } from "./state.ts";

export interface Keymap {
  readonly keys: readonly Key[];
  readonly problems: readonly string[];
}

/** The keys that a person chose instead of the default keys, by `scope.command`. */
export type KeyChoices = Readonly<Record<string, readonly string[]>>;

/**
 * Builds the key table from the keys that the person chose. A chosen key is taken from the command that had it in the
 * same scope.
 */
export function keymapOf(choices: KeyChoices, screens: readonly KeyedScreen[]): Keymap {
  const known = allKeys(screens);
  const problems: string[] = [];
  const chosen = new Map<Key, readonly string[]>();
  for (const [name, keys] of Object.entries(choices)) {
    const row = known.find((one) => nameOf(one) === name || `${one.scope}.${one.before}` === name);
    if (row === undefined) problems.push(`tui.keys: no command is called ${name}`);
    else chosen.set(row, validKeys(name, keys, problems));
  }
  if (chosen.size === 0) return { keys: known, problems };
  const keys = withoutDoubles(known, chosen, problems);
  const lists = scopeLists(screens);
  for (const row of chosen.keys()) problems.push(...hidden(row, keys, lists));
  return { keys: keys.map((row) => ({ ...row, ...wordOf(row, known, keys) })), problems };
}

function validKeys(name: string, keys: readonly string[], problems: string[]): readonly string[] {
  return keys.filter((key) => {
    const problem = problemOf(key);
    if (problem !== undefined) problems.push(`tui.keys.${name}: ${problem}`);
    return problem === undefined;
  });
}

const NAMES =
  "enter|tab|space|backspace|esc|up|down|left|right|home|end|insert|delete|pgup|pgdn".split("|");

/** Keys that cannot be chosen, each with the key for which a terminal sends the same code. */
const SAME: Readonly<Record<string, string>> = {
  "ctrl+i": "tab",
  "ctrl+m": "enter",
  "ctrl+j": "enter",
  "ctrl+h": "backspace",
  "ctrl+[": "esc",
};

function problemOf(key: string): string | undefined {
  if (key === "ctrl+c") return "ctrl+c always quits";
  const same = SAME[key];
  if (same !== undefined) return `a terminal sends the same for ${key} and ${same}`;
  const name = key.replace(/^(?:ctrl\+)?(?:alt\+)?(?:shift\+)?(?=.)/u, "");
  if (NAMES.includes(name) || /^[^\s\p{Cc}]$/u.test(name)) return undefined;
  return `${JSON.stringify(key)} is no key; keys are written like j, ctrl+n, alt+v, shift+tab, pgdn`;
}

/** Makes keys unique in a scope; chosen keys win over defaults. */
function withoutDoubles(
  known: readonly Key[],
  chosen: ReadonlyMap<Key, readonly string[]>,
  problems: string[],
): readonly Key[] {
  const owner = new Map<string, Key>();
  for (const [row, keys] of chosen) {
    for (const key of keys) {
      const other = owner.get(`${row.scope} ${key}`);
      if (other === undefined) owner.set(`${row.scope} ${key}`, row);
      else problems.push(`tui.keys: ${key} is ${nameOf(other)} already, not ${nameOf(row)}`);
    }
  }
  return known.map((row) => {
    const keys = (chosen.get(row) ?? row.keys).filter((key) => {
      const mine = owner.get(`${row.scope} ${key}`);
      return mine === undefined || mine === row;
    });
    if (keys.length === 0 && !chosen.has(row))
      problems.push(`tui.keys: ${nameOf(row)} has no key any more; : finds it`);
    return { ...row, keys };
  });
}

/** Warnings about chosen keys that hide, or are hidden by, commands of other scopes. */
function hidden(row: Key, keys: readonly Key[], lists: readonly ScopeList[]): readonly string[] {
  const mine = keys.find((one) => nameOf(one) === nameOf(row))?.keys ?? [];
  const isNew = (key: string): boolean => mine.includes(key) && !row.keys.includes(key);
  return keys.flatMap((other) => {
    if (other.scope === row.scope || !meet(row.scope, other.scope, lists)) return [];
    const isFirst = isNearer(row.scope, other.scope, lists);
    const [first, second] = isFirst ? [row, other] : [other, row];
    const behind = `${nameOf(first)} and not ${nameOf(second)}`;
    return other.keys
      .filter(isNew)
      .map((key) => `tui.keys: where both can be meant, ${key} is ${behind}`);
  });
}

/** Whether both scopes can be active at once. */
function meet(one: KeyScope, other: KeyScope, lists: readonly ScopeList[]): boolean {
  return lists.some((list) => list.includes(one) && list.includes(other));
}

/**
 * Whether the first scope comes before the other, so that its keys win. Two scopes have the same order in every list
 * that contains both.
 */
function isNearer(one: KeyScope, other: KeyScope, lists: readonly ScopeList[]): boolean {
  return lists.some(
    (list) => list.includes(other) && list.slice(0, list.indexOf(other)).includes(one),
  );
}

function nameOf({ scope, command }: Key): string {
  return `${scope}.${command}`;
}

/**
 * The text of a row in the footer. It begins with keys, such as `j/k move` or `[ ] depth`, which are replaced by the
 * person's keys.
 */
function wordOf(row: Key, known: readonly Key[], keys: readonly Key[]): { readonly word?: string } {
  if (row.word === undefined) return {};
  const inScope = known.filter(({ scope }) => scope === row.scope);
  const now = (key: string): string | undefined => {
    const before = inScope.find((one) => one.keys.includes(key));
    const after = keys.find((one) => before !== undefined && nameOf(one) === nameOf(before))?.keys;
    return after?.includes(key) === true ? key : after?.[0];
  };
  const parts = row.word.split(" ");
  const isKey = (part: string): boolean =>
    part !== "" && keysIn(part).every((key) => inScope.some((one) => one.keys.includes(key)));
  const end = parts.findIndex((part) => !isKey(part));
  const lead = parts.slice(0, end).map((part) => keysIn(part).flatMap((key) => now(key) ?? []));
  if (lead.flat().length === 0) return { word: parts.slice(end).join(" ") };
  return { word: [...lead.map((some) => some.join("/")), ...parts.slice(end)].join(" ") };
}

function keysIn(part: string): readonly string[] {
  return part === "/" ? ["/"] : part.split("/");
}

/** The key to name in a hint for a command; the key of the palette (`:`) if the command has no key. */
export function keyFor(
  { preferences: { keys } }: { readonly preferences: Pick<State["preferences"], "keys"> },
  command: Key["command"],
): string {
  return keys.find((row) => row.command === command && row.keys.length > 0)?.keys[0] ?? ":";
}
