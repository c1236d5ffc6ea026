import { render } from "ink";
import { createElement } from "react";
import type { Message } from "../src/screen/step.ts";
import { App, type AppProps } from "./app.ts";
import { typesText } from "./screens/cursor.ts";

export interface Screen {
  /** Tells the state what happened, and shows what came of it. */
  dispatch(message: Message): void;
  /** Draws everything anew, as after another program had the terminal. */
  repaint(): void;
  close(): Promise<void>;
  /** Never resolves well: it rejects when drawing failed. */
  readonly crashed: Promise<never>;
}

export interface ScreenOptions extends Omit<AppProps, "stdin"> {
  readonly stdin: NodeJS.ReadStream;
  readonly stdout: NodeJS.WriteStream;
  readonly showCursor: boolean;
}

/** The screen that Ink draws, on the terminal's alternate buffer. */
export function openScreen({ stdin, stdout, showCursor, ...props }: ScreenOptions): Screen {
  const app = (turn: number) => createElement(App, { ...props, stdin, turn });
  const isShown = (): boolean => showCursor || typesText(props.store.get());
  const screen = render(app(0), {
    stdin,
    stdout: streamForInk(stdout, isShown),
    alternateScreen: true,
    incrementalRendering: true,
    maxFps: 120,
    patchConsole: false,
    exitOnCtrlC: false,
    interactive: true,
  });
  const over = screen.waitUntilExit();
  // Closing it waits for this too, and then an error has been told already.
  const settled = over.catch(() => undefined);
  let turn = 0;
  return {
    dispatch: props.store.dispatch,
    repaint: () => {
      stdout.write(CLEAR);
      screen.clear();
      screen.rerender(app((turn += 1)));
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
/** Around each picture, so that a terminal shows it whole. */
const BEGIN = "\u001B[?2026h";
const END = "\u001B[?2026l";

/**
 * The terminal as Ink sees it. Ink shows the cursor wherever it puts it; here it stays hidden while it is not to be seen.
 * Ink hears of no new size: what it still believes to stand where would be drawn over, so the whole is drawn anew instead.
 * And it draws from where the cursor is when it begins, which is not the corner where somebody typed ahead. It leaves
 * the picture to a terminal that has no other buffer to go back to; here nothing of it stays. A picture comes in pieces
 * and is written at once.
 */
function streamForInk(stdout: NodeJS.WriteStream, isShown: () => boolean): NodeJS.WriteStream {
  let held = "";
  const write = (text: string, done?: () => void): boolean => {
    const seen = isShown() ? text : text.replaceAll(SHOW_CURSOR, "");
    held += seen
      .replaceAll(ALTERNATE_ON, ALTERNATE_ON + CLEAR)
      .replaceAll(ALTERNATE_OFF, CLEAR + ALTERNATE_OFF);
    // Whoever waits for what was written waits for all of it.
    if (done === undefined && held.startsWith(BEGIN) && !held.endsWith(END)) return true;
    const picture = held;
    held = "";
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
