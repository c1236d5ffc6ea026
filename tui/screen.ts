import { render } from "ink";
import { createElement } from "react";
import type { Message } from "../src/screen/message.ts";
import { App, type AppProps } from "./app.ts";
import { typesText } from "./screens/cursor.ts";

export interface Screen {
  dispatch(message: Message): void;
  /** Draws everything again, for example after another program used the terminal. */
  repaint(): void;
  close(): Promise<void>;
  /** Rejects if drawing fails, and never resolves. */
  readonly crashed: Promise<never>;
}

export interface ScreenOptions extends Omit<AppProps, "stdin"> {
  readonly stdin: NodeJS.ReadStream;
  readonly stdout: NodeJS.WriteStream;
  readonly showCursor: boolean;
  /** True while another program uses the terminal. Nothing is written then. */
  isAway(): boolean;
}

/** Opens the screen, which is drawn with Ink on the alternate buffer of the terminal. */
export function openScreen(options: ScreenOptions): Screen {
  const { stdin, showCursor, isAway, stdout: terminal, ...props } = options;
  const app = (repaints: number) => createElement(App, { ...props, stdin, repaints });
  const isShown = (): boolean => showCursor || typesText(props.store.get());
  const stdout = streamForInk(terminal, isShown, isAway);
  const screen = render(app(0), {
    stdin,
    stdout,
    alternateScreen: true,
    incrementalRendering: true,
    maxFps: 120,
    patchConsole: false,
    exitOnCtrlC: false,
    interactive: true,
  });
  const over = screen.waitUntilExit();
  // `close` waits until Ink has ended and ignores an error of Ink, which `crashed` reports.
  const settled = over.catch(() => undefined);
  let repaints = 0;
  return {
    dispatch: props.store.dispatch,
    repaint: () => {
      stdout.write(CLEAR);
      screen.clear();
      screen.rerender(app((repaints += 1)));
    },
    close: async () => {
      screen.unmount();
      await settled;
    },
    crashed: over.then(async () => await new Promise<never>(() => undefined)),
  };
}

const SHOW_CURSOR = "\u001B[?25h";
const CLEAR = "\u001B[2J\u001B[H";
const ALTERNATE_ON = "\u001B[?1049h";
const ALTERNATE_OFF = "\u001B[?1049l";
/** The terminal shows everything between these two sequences at once. */
const BEGIN = "\u001B[?2026h";
const END = "\u001B[?2026l";

/**
 * Adapts the terminal to Ink:
 * - The cursor is hidden outside text fields, although Ink shows it.
 * - Ink does not receive resize events. It would update single lines, which are at other places after a resize, while
 *   the caller redraws everything.
 * - The screen is cleared when the alternate buffer opens, since Ink draws from the cursor, and when the buffer closes,
 *   for terminals with only one buffer.
 * - The pieces of a picture are collected and written in one call.
 * - Output is dropped while another program has the terminal. `repaint` draws everything afterwards.
 */
function streamForInk(
  stdout: NodeJS.WriteStream,
  isShown: () => boolean,
  isAway: () => boolean,
): NodeJS.WriteStream {
  let pending = "";
  const write = (text: string, done?: () => void): boolean => {
    if (isAway()) {
      pending = "";
      done?.();
      return true;
    }
    const seen = isShown() ? text : text.replaceAll(SHOW_CURSOR, "");
    pending += seen
      .replaceAll(ALTERNATE_ON, ALTERNATE_ON + CLEAR)
      .replaceAll(ALTERNATE_OFF, CLEAR + ALTERNATE_OFF);
    // Hold back a picture until its end is written, unless the caller waits for this write.
    if (done === undefined && pending.startsWith(BEGIN) && !pending.endsWith(END)) return true;
    const picture = pending;
    pending = "";
    return stdout.write(picture, done);
  };
  const on = (event: string, listener: (...values: unknown[]) => void): NodeJS.WriteStream =>
    event === "resize" ? stdout : stdout.on(event, listener);
  return new Proxy(stdout, {
    get: (target, name): unknown => {
      if (name === "write") return write;
      if (name === "on") return on;
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}
