import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Clock } from "../src/base/clock.ts";
import { type Clipboard, type Copied, copyText } from "./clipboard.ts";

/** The terminal that the screen is drawn on. */
export interface Terminal {
  /** Raw keys, pastes apart from typing, and the mouse where it is wanted. */
  enter(): void;
  /** Everything as it was before. May be called twice. */
  leave(): void;
  copy(text: string): Copied;
  /** The text as an editor left it; throws when the editor failed. */
  edit(text: string): string;
  /** Leaves to the shell until it is told to go on; at once where no shell is there to stop it. */
  suspend(): Promise<void>;
}

const PASTE_ON = "\u001B[?2004h";
const PASTE_OFF = "\u001B[?2004l";
const MOUSE_ON = "\u001B[?1000h\u001B[?1006h";
const MOUSE_OFF = "\u001B[?1006l\u001B[?1000l";
/** What colour the background is (OSC 11), and a word whenever it changes between light and dark (mode 2031). */
const COLOURS_ON = "\u001B]11;?\u001B\\\u001B[?2031h";
const COLOURS_OFF = "\u001B[?2031l";
const SCREEN_ON = "\u001B[?1049h\u001B[2J\u001B[H\u001B[?25l";
/** A terminal without another buffer, as that of Linux, would keep the picture; it is left empty instead. */
const SCREEN_OFF = "\u001B[2J\u001B[H\u001B[?1049l";
const CURSOR_ON = "\u001B[?25h";

/** Who is not stopped by then has no shell that would: a terminal that runs nothing else. */
const UNSTOPPED_MS = 100;

export interface TerminalOptions {
  readonly stdin: NodeJS.ReadStream;
  readonly stdout: NodeJS.WriteStream;
  readonly clock: Clock;
  /** Aborted when the screen is left for good. */
  readonly signal: AbortSignal;
  readonly clipboard: Omit<Clipboard, "write">;
  /** Whether what is shown has the terminal's other buffer. */
  readonly alternate: boolean;
  /** Whether it is asked to tell pastes from typing. */
  readonly pastes: boolean;
  readonly mouse: boolean;
  /** Whether the colours follow the terminal's background. */
  readonly follows: boolean;
  /** The command that edits a file, with its own words. */
  readonly editor: string;
}

export function terminalOf(options: TerminalOptions): Terminal {
  const { stdin, stdout, clock, signal, clipboard, editor } = options;
  const { mouse, follows, alternate, pastes } = options;
  const [screenOn, screenOff] = alternate ? [SCREEN_ON, SCREEN_OFF] : ["", ""];
  const on = (pastes ? PASTE_ON : "") + (mouse ? MOUSE_ON : "") + (follows ? COLOURS_ON : "");
  const off = (follows ? COLOURS_OFF : "") + (mouse ? MOUSE_OFF : "") + (pastes ? PASTE_OFF : "");
  const enter = (): void => {
    stdin.setRawMode(true);
    stdin.resume();
    stdout.write(on);
  };
  const leave = (): void => {
    stdout.write(alternate ? off + CURSOR_ON : off);
    stdin.setRawMode(false);
    stdin.pause();
  };
  /** Another program has the terminal while `use` runs; the alternate screen is left to it, and taken back. */
  const lent = <T>(use: () => T): T => {
    leave();
    stdout.write(screenOff);
    try {
      return use();
    } finally {
      stdout.write(screenOn);
      enter();
    }
  };
  return {
    enter,
    leave,
    copy: (text) => copyText(text, { ...clipboard, write: (sequence) => stdout.write(sequence) }),
    edit: (text) => lent(() => editFile(editor, text)),
    suspend: async () => {
      leave();
      stdout.write(screenOff);
      const back = new AbortController();
      // What ends meanwhile is drawn a last time, which must not be on the shell's own screen.
      const onEnd = (): void => void stdout.write(screenOn);
      signal.addEventListener("abort", onEnd, { once: true });
      const onBack = (): void => back.abort();
      process.once("SIGCONT", onBack);
      // The whole group, as the terminal itself would do it: a program that started this one stops too.
      process.kill(0, "SIGTSTP");
      await clock.sleep(UNSTOPPED_MS, AbortSignal.any([back.signal, signal]));
      process.off("SIGCONT", onBack);
      if (signal.aborted) return;
      signal.removeEventListener("abort", onEnd);
      stdout.write(screenOn);
      enter();
    },
  };
}

function editFile(editor: string, text: string): string {
  const folder = mkdtempSync(join(tmpdir(), "svc-edit-"));
  try {
    const file = join(folder, "text.md");
    writeFileSync(file, text, { mode: 0o600 });
    const [program = "vi", ...words] = editor.split(/\s+/).filter(Boolean);
    const { status, signal, error } = spawnSync(program, [...words, file], { stdio: "inherit" });
    // One that was ended with its terminal has no more to say than what was saved in it.
    if (status === 0 || signal !== null) return readFileSync(file, "utf8");
    const how = error?.message ?? `exit code ${status}`;
    throw new Error(`the editor ${program} failed (${how}): the text is as it was`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
