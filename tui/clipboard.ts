import { spawnSync } from "node:child_process";
import type { ProgramEnv } from "../src/base/terminal-program.ts";

export type CopyResult =
  | { readonly by: "terminal" }
  | { readonly by: "program"; readonly program: string }
  | { readonly by: "nothing"; readonly why: string };

export interface Clipboard {
  /** Whether this terminal is known to ignore the escape sequence for copies. */
  readonly isLost: boolean;
  /** The command that copies through the terminal multiplexer (tmux), if svc runs in one. */
  readonly within: readonly string[] | undefined;
  /** Clipboard programs of this machine, the likeliest first. */
  readonly programs: readonly (readonly string[])[];
  readonly env: ProgramEnv;
  write(sequence: string): void;
}

/** The maximum length of a base64 text that is sent to a terminal. Some terminals ignore longer sequences. */
export const MAX_ENCODED_BYTES = 74_994;

/**
 * Copies a text to the clipboard. Inside a terminal multiplexer, the multiplexer's own command does it. Elsewhere an
 * escape sequence (OSC 52) asks the terminal to do it, which also works over ssh. If the terminal ignores that sequence
 * or the text is too long for it, a clipboard program of this machine does it.
 */
export function copyText(
  given: string,
  { isLost, within, programs, env, write }: Clipboard,
): CopyResult {
  const text = given.replaceAll(UNSAFE, "");
  if (within !== undefined && copyBy(within, text, env))
    return { by: "program", program: within[0] ?? "" };
  const encoded = Buffer.from(text).toString("base64");
  const isLong = encoded.length > MAX_ENCODED_BYTES;
  if (isLong || isLost) {
    const program = programs.find((one) => copyBy(one, text, env))?.[0];
    if (program !== undefined) return { by: "program", program };
  }
  if (isLong) return { by: "nothing", why: "the text is too long for a terminal's clipboard" };
  if (isLost) return { by: "nothing", why: "this terminal takes no copies from programs" };
  write(`\u001B]52;c;${encoded}\u0007`);
  return { by: "terminal" };
}

/**
 * Control characters except tab and line feed, and marks of reading direction. The text may be pasted into a shell,
 * where a carriage return would run it and an escape sequence could hide a part of it.
 */
const UNSAFE = /[^\P{Cc}\t\n]|[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/gu;

/** Time limit of a clipboard program, because the screen is blocked while it runs. */
const TIMEOUT_MS = 1000;

function copyBy(
  [program = "", ...words]: readonly string[],
  input: string,
  env: ProgramEnv,
): boolean {
  const stdio: ["pipe", "ignore", "ignore"] = ["pipe", "ignore", "ignore"];
  const { status } = spawnSync(program, words, { input, env, stdio, timeout: TIMEOUT_MS });
  return status === 0;
}
