import type { Env } from "./env.ts";

/** Whether the terminal has the table of 256 colours; others have the sixteen that have names. */
export function hasManyColours({ TERM, COLORTERM = "" }: Env): boolean {
  return COLORTERM !== "" || /256|direct/.test(TERM ?? "");
}

/** What the variables say of the clipboard: no terminal answers such a question itself. */
export function clipboardOf(env: Env): {
  /** Whether the terminal is known to lose what is copied by escape sequence. */
  readonly isLost: boolean;
  /** Programs that may reach the clipboard of the machine, the likeliest first. */
  readonly programs: readonly (readonly string[])[];
} {
  const isMac = env["TERM_PROGRAM"] === "Apple_Terminal";
  const programs = [
    ["pbcopy"],
    ...(isSet(env["WAYLAND_DISPLAY"]) ? [["wl-copy"]] : []),
    ...(isSet(env["DISPLAY"]) ? [["xclip", "-selection", "clipboard"]] : []),
  ];
  // Terminals on VTE take no copies, but what says so is handed on to other terminals that run in them.
  const isVte = isSet(env["VTE_VERSION"]) && programs.length > 1;
  return { isLost: isMac || isVte || env["TERM"] === "linux", programs };
}

function isSet(value: string | undefined): boolean {
  return (value ?? "") !== "";
}
