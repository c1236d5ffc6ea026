/**
 * The form of the output (docs/contract/command-line.md#11-global-flags and
 * docs/contract/command-line.md#14-output-for-agents).
 */
export type Mode = "human" | "json" | "agent";

export const MODES = ["human", "json", "agent"] as const satisfies readonly Mode[];

export interface ModeChoice {
  /** The mode in which results and errors are printed. It is `human` if the flags contradict each other. */
  readonly mode: Mode;
  readonly problem?: string;
}

/**
 * Chooses the mode before the flags are parsed, because errors in the flags are printed in this mode too. `extra` are
 * formats that only this command has.
 */
export function chooseMode(argv: readonly string[], extra: readonly string[] = []): ModeChoice {
  const formats = new Set(formatsIn(argv));
  const [first] = formats;
  const mode = formats.size === 1 && first !== undefined && isMode(first) ? first : "human";
  const bad = [...formats].find((format) => !isMode(format) && !extra.includes(format));
  if (bad !== undefined) {
    const all = [...MODES, ...extra].join(", ");
    return { mode, problem: `unsupported output format ${JSON.stringify(bad)}: use one of ${all}` };
  }
  return formats.size > 1 ? { mode, problem: "conflicting output modes" } : { mode };
}

function formatsIn(argv: readonly string[]): readonly string[] {
  const end = argv.indexOf("--");
  const words = end === -1 ? argv : argv.slice(0, end);
  return words.flatMap((word, place) => {
    if (word === "--json" || word === "--agent") return [word.slice(2)];
    if (word.startsWith("--format=")) return [word.slice("--format=".length)];
    const next = words[place + 1];
    return word === "--format" && next !== undefined && !next.startsWith("-") ? [next] : [];
  });
}

function isMode(format: string): format is Mode {
  return MODES.some((mode) => mode === format);
}
