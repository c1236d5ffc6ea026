import { type Env, isSet } from "./env.ts";

/**
 * A program and its arguments. The address to open replaces `%s` in an argument, or is appended as the last argument.
 */
export type BrowserProgram = readonly [program: string, ...words: readonly string[]];

/**
 * Returns the programs that may open an address in a browser, most likely first.
 * - If the variable `BROWSER` is set, as for other tools, only the programs that it names are tried. Colons separate
 *   them, or semicolons on Windows.
 * - If nobody would see a browser, the list is empty.
 */
export function browserPrograms(env: Env, platform: NodeJS.Platform): readonly BrowserProgram[] {
  const chosen = (env["BROWSER"] ?? "").split(separatorOf(platform)).flatMap(programOf);
  if (chosen.length > 0) return chosen;
  // `start` is a command of the shell, which would interpret `&` in an address. `rundll32.exe` opens the same browser
  // without a shell.
  if (platform === "win32") return [["rundll32.exe", WINDOWS_OPENER]];
  if (platform === "darwin") return [["open"]];
  // In WSL (Linux inside Windows) the browser is that of Windows.
  if (isSet(env["WSL_DISTRO_NAME"]) || isSet(env["WSL_INTEROP"]))
    return [["wslview"], ["rundll32.exe", WINDOWS_OPENER], ["xdg-open"]];
  // Without a display, xdg-open would start a text browser in the middle of the shell.
  if (!isSet(env["DISPLAY"]) && !isSet(env["WAYLAND_DISPLAY"])) return [];
  return [["xdg-open"], ["gio", "open"]];
}

const WINDOWS_OPENER = "url.dll,FileProtocolHandler";

/** The command line that opens the address, as a list of words. It is run without a shell. */
export function wordsFor([program, ...words]: BrowserProgram, url: string): readonly string[] {
  const filled = words.map((word) => word.replaceAll("%s", () => url));
  return filled.join(" ") === words.join(" ") ? [program, ...words, url] : [program, ...filled];
}

export function isRemoteShell(env: Env): boolean {
  return isSet(env["SSH_CONNECTION"]) || isSet(env["SSH_TTY"]);
}

function separatorOf(platform: NodeJS.Platform): string {
  return platform === "win32" ? ";" : ":";
}

function programOf(text: string): readonly BrowserProgram[] {
  const [program, ...words] = text.split(/\s+/).filter(Boolean);
  return program === undefined ? [] : [[program, ...words]];
}
