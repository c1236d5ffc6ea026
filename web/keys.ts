/** The fields of a keyboard event that are used here. Tests can make such an object without a browser. */
export interface Pressed {
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly altKey: boolean;
  readonly metaKey: boolean;
  readonly shiftKey: boolean;
}

const NAMES: Readonly<Record<string, string>> = {
  Enter: "enter",
  Escape: "esc",
  Backspace: "backspace",
  Delete: "delete",
  ArrowUp: "up",
  ArrowDown: "down",
  ArrowLeft: "left",
  ArrowRight: "right",
  Home: "home",
  End: "end",
  PageUp: "pgup",
  PageDown: "pgdn",
  Tab: "tab",
  " ": "space",
};

/** Chords that are left to the browser: copying, pasting, new tabs and windows, reloading, and closing. */
const BROWSERS: ReadonlySet<string> = new Set(
  ["c", "v", "x", "a", "n", "t", "w", "r", "l", "z", "s", "o", "e"].map((key) => `ctrl+${key}`),
);

/** Chords that are not in the key table, each with the chord of the table that does the same. */
const SAME: Readonly<Record<string, string>> = { "ctrl+k": "ctrl+p", "meta+k": "ctrl+p" };

/**
 * The name that a pressed key has in the key table; `undefined` if the key is left to the browser. Tab is one of these:
 * as on every page, it moves the focus from element to element.
 */
export function keyNameOf(pressed: Pressed): string | undefined {
  const { key, ctrlKey, altKey, metaKey, shiftKey } = pressed;
  const name = NAMES[key] ?? (key.length === 1 ? key : undefined);
  if (name === undefined || name === "tab") return undefined;
  const lead = `${ctrlKey ? "ctrl+" : ""}${metaKey ? "meta+" : ""}${altKey ? "alt+" : ""}`;
  // With shift, a letter or sign arrives as another character. So "shift+" is added only to keys with a name, such as
  // the arrow keys.
  const isNamed = NAMES[key] !== undefined;
  const chord = `${lead}${shiftKey && isNamed ? "shift+" : ""}${lead === "" ? name : name.toLowerCase()}`;
  const known = SAME[chord] ?? chord;
  if (metaKey && SAME[chord] === undefined) return undefined;
  return BROWSERS.has(known) ? undefined : known;
}

/** The keys that an open dialog handles before the page does, each with its name in the state. */
const IN_DIALOGS: Readonly<Record<string, string>> = {
  Tab: "tab",
  "shift+Tab": "shift+tab",
  "ctrl+s": "ctrl+s",
  "ctrl+Enter": "ctrl+s",
};

/** The name of a key that is meant for a dialog which is not drawn yet. */
export function earlyKeyOf(pressed: Pressed): string | undefined {
  const { key, ctrlKey, metaKey, shiftKey } = pressed;
  const lead = ctrlKey || metaKey ? "ctrl+" : shiftKey ? "shift+" : "";
  return IN_DIALOGS[`${lead}${key}`] ?? keyNameOf(pressed);
}
