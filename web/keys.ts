/** What a keyboard event says, so that tests need no browser. */
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

/** Chords that stay the browser's: copying, pasting, new tabs and windows, reloading, and closing. */
const BROWSERS: ReadonlySet<string> = new Set(
  ["c", "v", "x", "a", "n", "t", "w", "r", "l", "z", "s", "o", "e"].map((key) => `ctrl+${key}`),
);

/** Chords that mean the same as one of the key table. */
const SAME: Readonly<Record<string, string>> = { "ctrl+k": "ctrl+p", "meta+k": "ctrl+p" };

/**
 * The name of a key in the key table; `undefined` if it is the browser's. Tab is: it goes through the panes and all that
 * is in them, as on every page.
 */
export function keyNameOf(pressed: Pressed): string | undefined {
  const { key, ctrlKey, altKey, metaKey, shiftKey } = pressed;
  const name = NAMES[key] ?? (key.length === 1 ? key : undefined);
  if (name === undefined || name === "tab") return undefined;
  const lead = `${ctrlKey ? "ctrl+" : ""}${metaKey ? "meta+" : ""}${altKey ? "alt+" : ""}`;
  // The shift key is already in the character that it makes.
  const isNamed = NAMES[key] !== undefined;
  const chord = `${lead}${shiftKey && isNamed ? "shift+" : ""}${lead === "" ? name : name.toLowerCase()}`;
  const known = SAME[chord] ?? chord;
  if (metaKey && SAME[chord] === undefined) return undefined;
  return BROWSERS.has(known) ? undefined : known;
}
