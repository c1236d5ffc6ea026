import type { Clock } from "../src/base/clock.ts";
import { type Editor, editorFile, runEditor } from "../src/base/editor.ts";
import { utf8Text } from "../src/base/utf8.ts";
import { DEFAULT_BODY_BYTES } from "../src/contract/limits.ts";
import { type Clipboard, type CopyResult, copyText } from "./clipboard.ts";
import { runProgram } from "./run-program.ts";

export interface Terminal {
  /** Turns on raw keys, bracketed pastes and, if wanted, the mouse. */
  enter(): void;
  /** Restores the terminal. May be called twice. */
  leave(): void;
  copy(text: string): CopyResult;
  /** Opens the text in an editor and returns the result. Throws if the editor fails. */
  edit(text: string): string;
  /** Runs a program on the terminal and waits for its end. Returns why it failed, or `undefined` if it did not fail. */
  run(argv: readonly string[]): string | undefined;
  /**
   * Suspends svc to the shell, and returns when svc is resumed. If no shell stops the process, it returns after a
   * moment.
   */
  suspend(): Promise<void>;
  /** Whether svc is suspended and the shell uses the terminal. */
  readonly isAway: () => boolean;
}

const PASTE_ON = "\u001B[?2004h";
const PASTE_OFF = "\u001B[?2004l";
const MOUSE_ON = "\u001B[?1000h\u001B[?1006h";
const MOUSE_OFF = "\u001B[?1006l\u001B[?1000l";
/** Asks the terminal for its background colour (OSC 11), and for reports when the colour changes (mode 2031). */
const COLOURS_ON = "\u001B]11;?\u001B\\\u001B[?2031h";
const COLOURS_OFF = "\u001B[?2031l";
const SCREEN_ON = "\u001B[?1049h\u001B[2J\u001B[H\u001B[?25l";
/** Clears the screen, because a terminal without a second buffer, such as the Linux console, keeps the picture. */
const SCREEN_OFF = "\u001B[2J\u001B[H\u001B[?1049l";
const CURSOR_ON = "\u001B[?25h";

/**
 * If svc still runs this many milliseconds after it sent itself SIGTSTP, there is no job-control shell to suspend it.
 */
const UNSTOPPED_MS = 100;

export interface TerminalOptions {
  readonly stdin: NodeJS.ReadStream;
  readonly stdout: NodeJS.WriteStream;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly clipboard: Omit<Clipboard, "write">;
  readonly alternate: boolean;
  readonly pastes: boolean;
  readonly mouse: boolean;
  readonly followsColours: boolean;
  readonly editor: Editor;
}

export function terminalOf(options: TerminalOptions): Terminal {
  const { stdin, stdout, clock, signal, clipboard, editor } = options;
  const { mouse, followsColours, alternate, pastes } = options;
  const [screenOn, screenOff] = alternate ? [SCREEN_ON, SCREEN_OFF] : ["", ""];
  const on =
    (pastes ? PASTE_ON : "") + (mouse ? MOUSE_ON : "") + (followsColours ? COLOURS_ON : "");
  const off =
    (followsColours ? COLOURS_OFF : "") + (mouse ? MOUSE_OFF : "") + (pastes ? PASTE_OFF : "");
  let isAway = false;
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
  const withoutTerminal = <T>(use: () => T): T => {
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
    edit: (text) => withoutTerminal(() => editFile(editor, text)),
    run: (argv) => withoutTerminal(() => runProgram(argv, stdout)),
    suspend: async () => {
      leave();
      stdout.write(screenOff);
      isAway = true;
      const back = new AbortController();
      const onBack = (): void => back.abort();
      process.once("SIGCONT", onBack);
      // Stop the whole process group, as a terminal does, so that the parent program of svc stops too.
      process.kill(0, "SIGTSTP");
      await clock.sleep(UNSTOPPED_MS, AbortSignal.any([back.signal, signal]));
      process.off("SIGCONT", onBack);
      // The terminal's size may have changed. The system reports a change only to programs in the foreground.
      process.emit("SIGWINCH");
      // If the screen has ended while svc was suspended, the shell keeps the terminal.
      if (signal.aborted) return;
      stdout.write(screenOn);
      enter();
      isAway = false;
    },
    isAway: () => isAway,
  };
}

function editFile(editor: Editor, text: string): string {
  const file = editorFile(text);
  let isKept = false;
  try {
    const { program, why, wasKilled } = runEditor(editor, file.path);
    // An editor that was killed with its terminal may have saved the file.
    const saved = why === undefined || wasKilled ? file.read(DEFAULT_BODY_BYTES) : undefined;
    if (saved !== undefined && "why" in saved) {
      isKept = true;
      throw new Error(`${saved.why}: it is kept in ${file.path}`);
    }
    const edited = saved && utf8Text(saved);
    if (edited !== undefined) return edited;
    isKept = saved !== undefined;
    if (isKept) throw new Error(`the text is not UTF-8: it is kept in ${file.path}`);
    throw new Error(
      `the editor ${program} failed (${why ?? "its file is gone"}): the text is as it was`,
    );
  } finally {
    if (!isKept) file.remove();
  }
}
