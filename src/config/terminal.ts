import type { Env } from "./env.ts";

/** A terminal that says of itself that it writes lines one below the other, and no more. */
export function isDumb({ TERM }: Env): boolean {
  return TERM === "dumb";
}

/** Terminals that show no colours, by the names that terminfo has for them. */
const WITHOUT_COLOURS = /^(?:dumb|vt(?!525)\d.*|.*-m(?:ono)?)$/;

/** Whether colours may be written to it; one without a name has them, as on Windows. */
export function hasColours({ TERM = "", COLORTERM = "" }: Env): boolean {
  return COLORTERM !== "" || !WITHOUT_COLOURS.test(TERM);
}

/** Whether the terminal has the table of 256 colours; others have the sixteen that have names. */
export function hasManyColours({ TERM, COLORTERM = "" }: Env): boolean {
  return COLORTERM !== "" || /256|direct/.test(TERM ?? "");
}

/** What the variables say of the clipboard: no terminal answers such a question itself. */
export function clipboardOf(env: Env): {
  /** Whether the terminal is known to lose what is copied by escape sequence. */
  readonly isLost: boolean;
  /** What the terminal itself is asked with, where it is a program of this machine. */
  readonly within: readonly string[] | undefined;
  /** Programs that may reach the clipboard of the machine, the likeliest first. */
  readonly programs: readonly (readonly string[])[];
} {
  // It hands copies on; those that a program writes to it, only where it was told so (set-clipboard).
  const within = isSet(env["TMUX"]) ? ["tmux", "load-buffer", "-w", "-"] : undefined;

  const isMac = env["TERM_PROGRAM"] === "Apple_Terminal";
  const programs = [
    ["pbcopy"],
    ...(isSet(env["WAYLAND_DISPLAY"]) ? [["wl-copy"]] : []),
    ...(isSet(env["DISPLAY"]) ? [["xclip", "-selection", "clipboard"]] : []),
  ];
  // Terminals on VTE take no copies, but what says so is handed on to other terminals that run in them.
  const isVte = isSet(env["VTE_VERSION"]) && programs.length > 1;
  const isScreen = isSet(env["STY"]) && within === undefined;
  const isLost = isMac || isVte || isScreen || isDumb(env) || env["TERM"] === "linux";
  return { isLost, within, programs };
}

function isSet(value: string | undefined): boolean {
  return (value ?? "") !== "";
}
