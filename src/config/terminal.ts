import { type Env, isSet } from "./env.ts";

/** A terminal that can only write lines (`TERM=dumb`). */
export function isDumb({ TERM }: Env): boolean {
  return TERM === "dumb";
}

/** Terminals without colours, by their terminfo names. */
const WITHOUT_COLOURS = /^(?:dumb|vt(?!525)\d.*|.*-m(?:ono)?)$/;

/** Whether the terminal has colours; a terminal without a name counts as having them, as on Windows. */
export function hasColours({ TERM = "", COLORTERM = "" }: Env): boolean {
  return COLORTERM !== "" || !WITHOUT_COLOURS.test(TERM);
}

/** Whether the terminal has 256 colours; others have the sixteen named ones. */
export function hasManyColours({ TERM, COLORTERM = "" }: Env): boolean {
  return COLORTERM !== "" || /256|direct/.test(TERM ?? "");
}

/** Guesses from the environment how to reach the clipboard, since a terminal cannot report that. */
export function clipboardOf(env: Env): {
  /** True if the terminal is known to ignore copies that are made by an escape sequence. */
  readonly isLost: boolean;
  /** The command that copies through the terminal multiplexer (tmux), if svc runs in one. */
  readonly within: readonly string[] | undefined;
  /** Programs that may set this machine's clipboard, most likely first. */
  readonly programs: readonly (readonly string[])[];
} {
  // A copy that tmux's own command makes always reaches the terminal around tmux. A copy by escape sequence reaches it
  // only if tmux's option set-clipboard allows that.
  const within = isSet(env["TMUX"]) ? ["tmux", "load-buffer", "-w", "-"] : undefined;

  const isMac = env["TERM_PROGRAM"] === "Apple_Terminal";
  const programs = [
    ["pbcopy"],
    ...(isSet(env["WAYLAND_DISPLAY"]) ? [["wl-copy"]] : []),
    ...(isSet(env["DISPLAY"]) ? [["xclip", "-selection", "clipboard"]] : []),
  ];
  // Terminals built on VTE, such as that of GNOME, ignore copies by escape sequence. Programs that they start inherit
  // VTE_VERSION, even on another terminal, so the variable counts only if a display is set.
  const isVte = isSet(env["VTE_VERSION"]) && programs.length > 1;
  const isScreen = isSet(env["STY"]) && within === undefined;
  const isLost = isMac || isVte || isScreen || isDumb(env) || env["TERM"] === "linux";
  return { isLost, within, programs };
}
