/**
 * The meaning of a piece of output, to which the palette assigns a colour
 * (docs/contract/command-line.md#16-colours-and-rows).
 */
export type Tone =
  | "id"
  | "blocked"
  | "closed"
  | "priority0"
  | "priority1"
  | "priority2"
  | "priority4"
  | "epic"
  | "bug"
  | "faint"
  | "strong"
  | "emphasis"
  | "error";

export type Paint = (tone: Tone, text: string) => string;

/**
 * The parameters of SGR sequences. The colours are among the first sixteen, which a terminal defines so that they can
 * be read on its background.
 */
const SGR: Readonly<Record<Tone, string>> = {
  id: "36",
  blocked: "31",
  closed: "32",
  priority0: "1;91",
  priority1: "31",
  priority2: "33",
  priority4: "2",
  epic: "35",
  bug: "31",
  faint: "2",
  strong: "1",
  emphasis: "3",
  error: "31",
};

/** Other colours for a light background, on which yellow and cyan are hard to read. */
const LIGHT_BACKGROUND: Readonly<Partial<Record<Tone, string>>> = {
  id: "38;5;30",
  priority2: "38;5;130",
};

export type ColourMode = "none" | "auto" | "light" | "dark";

export function paintFor(mode: ColourMode): Paint {
  if (mode === "none") return (_tone, text) => text;
  return (tone, text) => {
    const code = (mode === "light" ? LIGHT_BACKGROUND[tone] : undefined) ?? SGR[tone];
    return text === "" ? "" : `\u001b[${code}m${text}\u001b[0m`;
  };
}

export interface Style {
  readonly paint: Paint;
  /** The width of the terminal; `undefined` if the output is no terminal, and then nothing is cut. */
  readonly columns: number | undefined;
  readonly quiet: boolean;
}
