import { spawnSync } from "node:child_process";

/** How a text came into the clipboard, or why it did not. */
export type Copied =
  | { readonly by: "terminal" }
  | { readonly by: "program"; readonly program: string }
  | { readonly by: "nothing"; readonly why: string };

export interface Clipboard {
  /** Whether the terminal is known to lose what is copied by escape sequence. */
  readonly isLost: boolean;
  /** The terminal's own program for copies, where it has one. */
  readonly within: readonly string[] | undefined;
  /** Programs that may reach the clipboard of the machine, the likeliest first. */
  readonly programs: readonly (readonly string[])[];
  write(sequence: string): void;
}

/** Longer ones are refused by some terminals, and then nothing is copied at all. */
export const MAX_ENCODED_BYTES = 74_994;

/**
 * Into the terminal's own clipboard (OSC 52), which also reaches a person at the other end of ssh; where the terminal
 * loses it or it is too long, by a program of this machine.
 */
export function copyText(given: string, { isLost, within, programs, write }: Clipboard): Copied {
  const text = given.replaceAll(UNSAFE, "");
  if (within !== undefined && copyBy(within, text))
    return { by: "program", program: within[0] ?? "" };
  const encoded = Buffer.from(text).toString("base64");
  const isLong = encoded.length > MAX_ENCODED_BYTES;
  if (isLong || isLost) {
    const program = programs.find((one) => copyBy(one, text))?.[0];
    if (program !== undefined) return { by: "program", program };
  }
  if (isLong) return { by: "nothing", why: "the text is too long for a terminal's clipboard" };
  if (isLost) return { by: "nothing", why: "this terminal takes no copies from programs" };
  write(`\u001B]52;c;${encoded}\u0007`);
  return { by: "terminal" };
}

/**
 * Controls but tab and line feed, and what turns the direction of its neighbours: the text is pasted into a shell, where
 * a return would run it and an escape would hide what it says.
 */
const UNSAFE = /[^\P{Cc}\t\n]|[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/gu;

/** A clipboard that does not answer must not hold the screen up. */
const PATIENCE_MS = 1000;

function copyBy([program = "", ...words]: readonly string[], input: string): boolean {
  const stdio = ["pipe", "ignore", "ignore"] as const;
  const { status } = spawnSync(program, words, { input, stdio: [...stdio], timeout: PATIENCE_MS });
  return status === 0;
}
