/** What a text means; colour is never the only thing that says so. */
export type Role =
  | "ref"
  | "ok"
  | "warn"
  | "error"
  | "done"
  | "dim"
  | "bold"
  | "inverse"
  | "underline";

export type ColourMode = "dark" | "light" | "none";

/** Puts a role around a text that has none yet; the text begins and ends with the terminal's own colours. */
export type Paint = (role: Role, text: string) => string;

type Colours = Readonly<Record<Exclude<Role, "bold" | "inverse" | "underline">, string>>;

/** 256-colour numbers, at least 4.5:1 on the background and apart for colour-blind eyes. */
const DARK: Colours = {
  ref: "38;5;33",
  ok: "38;5;158",
  warn: "38;5;226",
  error: "1;38;5;209",
  done: "38;5;219",
  dim: "38;5;245",
};
const LIGHT: Colours = {
  ref: "38;5;26",
  ok: "38;5;23",
  warn: "38;5;58",
  error: "1;38;5;52",
  done: "38;5;53",
  dim: "38;5;243",
};
/** Without colours: weight alone. */
const NONE: Colours = { ref: "", ok: "", warn: "1", error: "1", done: "2", dim: "2" };

const SHARED = { bold: "1", inverse: "7", underline: "4" } as const;

const TABLES: Readonly<Record<ColourMode, Readonly<Record<Role, string>>>> = {
  dark: { ...DARK, ...SHARED },
  light: { ...LIGHT, ...SHARED },
  none: { ...NONE, ...SHARED },
};

export function painter(mode: ColourMode): Paint {
  const table = TABLES[mode];
  return (role, text) => {
    const code = table[role];
    return code === "" || text === "" ? text : `\u001B[${code}m${text}\u001B[0m`;
  };
}
