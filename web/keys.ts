import { isBrowserKey } from "./own-keys.ts";

export interface PressedKey {
  readonly key: string;
  /** The place of the key on the keyboard, such as `KeyB`. */
  readonly code: string;
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

/** Chords that the key table does not have, each with the chord of the table that does the same. */
const SAME: Readonly<Record<string, string>> = { "ctrl+k": "ctrl+p", "meta+k": "ctrl+p" };

/**
 * The name that a pressed key has in the key table; `undefined` if the key is left to the browser.
 */
export function keyNameOf(pressed: PressedKey): string | undefined {
  const { key, code, ctrlKey, altKey, metaKey, shiftKey } = pressed;
  // Many keyboard layouts need Option or AltGr to type `[`, `]` or `|`. Browsers report AltGr as ctrl+alt or as alt.
  if (altKey && !metaKey && /^[[\]|]$/.test(key)) return key;
  // On macOS, Option+B types `∫`, so the letter is derived from `code`, which names the position of the key.
  const isOther = altKey && key.length === 1 && !/^[ -~]$/.test(key);
  const letter = isOther ? /^Key([A-Z])$/.exec(code)?.[1] : undefined;
  const name = NAMES[key] ?? letter ?? (key.length === 1 ? key : undefined);
  if (name === undefined || name === "tab") return undefined;
  const lead = `${ctrlKey ? "ctrl+" : ""}${metaKey ? "meta+" : ""}${altKey ? "alt+" : ""}`;
  // With shift, a letter or sign arrives as another character. So "shift+" is added only to keys with a name, such as
  // the arrow keys.
  const isNamed = NAMES[key] !== undefined;
  const chord = `${lead}${shiftKey && isNamed ? "shift+" : ""}${lead === "" ? name : name.toLowerCase()}`;
  const known = SAME[chord] ?? chord;
  if (metaKey && SAME[chord] === undefined) return undefined;
  return isBrowserKey(known) ? undefined : known;
}

/**
 * Whether a key press belongs to an input method that is still composing text. Safari reports the Enter that confirms
 * the text only after the composition has ended, but with the key code 229.
 */
export function isComposing(event: Pick<KeyboardEvent, "isComposing" | "keyCode">): boolean {
  return event.isComposing || event.keyCode === 229;
}

/** The keys that an open dialog handles before the page does, each with the name that the state uses for it. */
const IN_DIALOGS: Readonly<Record<string, string>> = {
  Tab: "tab",
  "shift+Tab": "shift+tab",
  "ctrl+s": "ctrl+s",
  "ctrl+Enter": "ctrl+s",
};

/** The name of a key that was pressed while the open dialog was not drawn yet. */
export function earlyKeyOf(pressed: PressedKey): string | undefined {
  const { key, ctrlKey, metaKey, shiftKey } = pressed;
  const lead = ctrlKey || metaKey ? "ctrl+" : shiftKey ? "shift+" : "";
  return IN_DIALOGS[`${lead}${key}`] ?? keyNameOf(pressed);
}
