import { ASCII, type Glyphs } from "../src/screen/glyphs.ts";
import { Memo } from "../src/screen/memo.ts";

/** The meaning of a text, which decides how it is drawn. A meaning is never shown by colour alone. */
export type Role = ColourRole | "bold" | "inverse" | "underline" | "heading" | "cursor";

export const COLOUR_ROLES = ["ref", "ok", "warn", "error", "done", "dim"] as const;
export type ColourRole = (typeof COLOUR_ROLES)[number];

export type ColourMode = "dark" | "light" | "none";

/** Returns a plain text with the escape sequences of a role. After the text the terminal's own colours are restored. */
export interface Paint {
  (role: Role, text: string): string;
  readonly glyphs: Glyphs;
  readonly memo: Memo;
}

/** Colour numbers of the 256-colour table. */
export type Theme = Readonly<Partial<Record<ColourRole, number>>>;

/**
 * Both palettes have a contrast of at least 4.5:1 with the background. The colours of DARK can be told apart with any
 * colour vision.
 */
export const DARK = { ref: 33, ok: 158, warn: 226, error: 209, done: 219, dim: 245 } as const;
export const LIGHT = { ref: 26, ok: 23, warn: 58, error: 52, done: 53, dim: 243 } as const;
/** For terminals with 16 colours: blue, green, yellow, red, magenta, bright black. */
export const NAMED = { ref: 4, ok: 2, warn: 3, error: 1, done: 5, dim: 8 } as const;
const NONE = { ref: "", ok: "", warn: "1", error: "1", done: "2", dim: "2" } as const;

const SHARED = { bold: "1", inverse: "7", underline: "4", heading: "1;4", cursor: "7" } as const;

/**
 * The cursor's row is drawn inverse. No other style ends with `CURSOR_END`, so the row can be found in the drawn lines.
 */
export const CURSOR_START = "\u001B[7m";
export const CURSOR_END = "\u001B[27m";

export interface Look {
  readonly theme?: Theme;
  readonly manyColours?: boolean;
  readonly glyphs?: Glyphs;
}

export function painter(mode: ColourMode, look: Look = {}): Paint {
  const { theme = {}, manyColours = true, glyphs = ASCII } = look;
  const base = !manyColours ? NAMED : mode === "dark" ? DARK : LIGHT;
  const table: Readonly<Record<Role, string>> = {
    ...(mode === "none" ? NONE : colourCodes({ ...base, ...theme })),
    ...SHARED,
  };
  const paint = (role: Role, text: string): string => {
    if (role === "cursor") return text === "" ? text : CURSOR_START + text + CURSOR_END;
    const code = table[role];
    return code === "" || text === "" ? text : `\u001B[${code}m${text}\u001B[0m`;
  };
  return Object.assign(paint, { glyphs, memo: new Memo() });
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

/** Terminals with 16 colours do not support `38;5`, so the first 16 have short codes. */
function code(colour: number): string {
  if (colour < 8) return String(30 + colour);
  return colour < 16 ? String(82 + colour) : `38;5;${colour}`;
}

/** Returns the relative luminance of WCAG 2, from 0 (black) to 1 (white). The colour components range from 0 to 1. */
export function luminance(red: number, green: number, blue: number): number {
  const linear = (part: number): number =>
    part <= 0.040_45 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
}

/** On a background with a luminance above this, black text has more contrast than white text. */
export const MIDDLE = 0.179;
