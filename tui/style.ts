import { ASCII, type Glyphs } from "../src/screen/glyphs.ts";
import { Memo } from "../src/screen/memo.ts";

/** What a text means; colour is never the only thing that says so. */
export type Role = ColourRole | "bold" | "inverse" | "underline" | "cursor";

export const COLOUR_ROLES = ["ref", "ok", "warn", "error", "done", "dim"] as const;
export type ColourRole = (typeof COLOUR_ROLES)[number];

export type ColourMode = "dark" | "light" | "none";

/** Puts a role around a text that has none yet; the text begins and ends with the terminal's own colours. */
export interface Paint {
  (role: Role, text: string): string;
  readonly glyphs: Glyphs;
  /** What is remembered of what was painted. */
  readonly memo: Memo;
}

/** Numbers in the table of 256 colours, the first sixteen of which have names. */
export type Theme = Readonly<Partial<Record<ColourRole, number>>>;

/** At least 4.5:1 on the background, and those of dark far apart for every eye. */
export const DARK = { ref: 33, ok: 158, warn: 226, error: 209, done: 219, dim: 245 } as const;
export const LIGHT = { ref: 26, ok: 23, warn: 58, error: 52, done: 53, dim: 243 } as const;
/** Where only the sixteen named colours are: blue, green, yellow, red, magenta, bright black. */
export const NAMED = { ref: 4, ok: 2, warn: 3, error: 1, done: 5, dim: 8 } as const;
/** Without colours: weight alone. */
const NONE = { ref: "", ok: "", warn: "1", error: "1", done: "2", dim: "2" } as const;

const SHARED = { bold: "1", inverse: "7", underline: "4", cursor: "7" } as const;

/** Looks like inverse, and is known by its end: the terminal's own cursor goes where it begins. */
export const CURSOR_START = "\u001B[7m";
export const CURSOR_END = "\u001B[27m";

export interface Look {
  readonly theme?: Theme;
  /** Whether the terminal has 256 colours. */
  readonly manyColours?: boolean;
  readonly glyphs?: Glyphs;
}

export function painter(mode: ColourMode, look: Look = {}): Paint {
  const { theme = {}, manyColours = true, glyphs = ASCII } = look;
  const table: Readonly<Record<Role, string>> = {
    ...(mode === "none" ? NONE : colourCodes({ ...baseOf(mode, manyColours), ...theme })),
    ...SHARED,
  };
  const paint = (role: Role, text: string): string => {
    if (role === "cursor") return text === "" ? text : CURSOR_START + text + CURSOR_END;
    const code = table[role];
    return code === "" || text === "" ? text : `\u001B[${code}m${text}\u001B[0m`;
  };
  return Object.assign(paint, { glyphs, memo: new Memo() });
}

function baseOf(
  mode: "dark" | "light",
  manyColours: boolean,
): Readonly<Record<ColourRole, number>> {
  if (!manyColours) return NAMED;
  return mode === "dark" ? DARK : LIGHT;
}

function colourCodes(
  colours: Readonly<Record<ColourRole, number>>,
): Readonly<Record<ColourRole, string>> {
  const { ref, ok, warn, error, done, dim } = colours;
  return {
    ref: code(ref),
    ok: code(ok),
    warn: code(warn),
    error: `1;${code(error)}`,
    done: code(done),
    dim: code(dim),
  };
}

/** A terminal of sixteen colours knows no `38;5`, so those that have names are written by them. */
function code(colour: number): string {
  if (colour < 8) return String(30 + colour);
  return colour < 16 ? String(82 + colour) : `38;5;${colour}`;
}

/** How bright a colour is, from black at 0 to white at 1 (WCAG 2, relative luminance); its parts from 0 to 1. */
export function luminance(red: number, green: number, blue: number): number {
  const linear = (part: number): number =>
    part <= 0.040_45 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
}

/** Brighter than this, black has more contrast than white. */
export const MIDDLE = 0.179;
