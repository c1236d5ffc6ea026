import { render } from "ink";
import { createElement } from "react";
import { type Clock, systemClock } from "../src/base/clock.ts";
import type { Client } from "../src/client/client.ts";
import { App } from "./app.ts";
import { Effects } from "./effects.ts";
import { textOf } from "./failures.ts";
import { ASCII, UNICODE } from "./glyphs.ts";
import { type KeyChoices, keymapOf } from "./keymap.ts";
import type { LayoutChoice } from "./layout.ts";
import { follow } from "./live.ts";
import { initialState, type SavedView, type Scope } from "./state/state.ts";
import type { Effect, Message } from "./state/step.ts";
import { createStore } from "./store.ts";
import { type ColourMode, painter, type Theme } from "./style.ts";
import { terminalOf } from "./terminal.ts";

export interface TuiOptions {
  readonly client: Client;
  readonly actor: string;
  /** The name of the daemon as people know it. */
  readonly daemon: string;
  readonly version: string;
  /** Nothing: the person chooses a project first. */
  readonly scope: Scope | undefined;
  /** The uid of an issue that is shown at once. */
  readonly open: string | undefined;
  /** `auto`: dark until the terminal says that its background is light. */
  readonly colours: ColourMode | "auto";
  readonly theme: Theme;
  readonly glyphs: "ascii" | "unicode";
  /** Whether the terminal has 256 colours. */
  readonly manyColours: boolean;
  /** Other keys than those of the table, by scope and command. */
  readonly keys: KeyChoices;
  readonly layout: LayoutChoice;
  /** Nothing changes by time alone. */
  readonly calm: boolean;
  /** What was wrong with the settings of the screen. */
  readonly problems: readonly string[];
  readonly mouse: boolean;
  readonly confirmQuit: boolean;
  readonly editor: string;
  readonly session: string;
  /** Whose requests the inbox shows at first. */
  readonly inboxOf: string;
  readonly views: readonly SavedView[];
  /** Keeps the filter under that name, or without one forgets it, and gives all that are kept. */
  saveView(name: string, query: string | undefined): Promise<readonly SavedView[]>;
  readonly stdin?: NodeJS.ReadStream;
  readonly stdout?: NodeJS.WriteStream;
  readonly clock?: Clock;
}

/** The terminal screen, from its first picture until the person leaves it. The terminal is as before on every way out. */
export async function runTui(options: TuiOptions): Promise<void> {
  const { client, actor, clock = systemClock } = options;
  const { stdin = process.stdin, stdout = process.stdout } = options;
  const { mouse, editor, colours } = options;
  const { keys, problems } = keymapOf(options.keys);
  const terminal = terminalOf({ stdin, stdout, mouse, editor, follows: colours === "auto" });
  const ended = new AbortController();
  const { signal } = ended;
  const quit = (): void => ended.abort();
  // Effects dispatch into the store, and the store runs effects.
  const run = (effect: Effect): void => effects.run(effect);
  const store = createStore(
    initialState({
      ...options,
      keys,
      columns: stdout.columns,
      rows: stdout.rows,
      now: clock.now(),
    }),
    clock,
    run,
  );
  const { dispatch } = store;
  const effects: Effects = new Effects({
    client,
    clock,
    actor,
    signal,
    dispatch,
    quit,
    copy: terminal.copy,
    editText: async (text) => {
      try {
        return terminal.edit(text);
      } finally {
        repaint();
      }
    },
    saveView: options.saveView,
    repaint: () => repaint(),
    suspend: () => terminal.suspend(() => repaint()),
  });

  const look = {
    theme: options.theme,
    manyColours: options.manyColours,
    glyphs: options.glyphs === "unicode" ? UNICODE : ASCII,
  };
  const paint = painter(colours === "auto" ? "dark" : colours, look);
  const light = colours === "auto" ? painter("light", look) : paint;
  const app = createElement(App, { store, paint, light, clock, stdin });
  for (const text of [...options.problems, ...problems].toReversed())
    dispatch({ type: "failed", text });
  terminal.enter();
  const screen = render(app, {
    stdin,
    stdout,
    alternateScreen: true,
    incrementalRendering: true,
    maxFps: 120,
    patchConsole: false,
    exitOnCtrlC: false,
    interactive: true,
  });
  const repaint = (): void => {
    screen.clear();
    screen.rerender(app);
  };
  const resize = (): void => {
    dispatch({ type: "resize", columns: stdout.columns, rows: stdout.rows });
  };
  const signals = ["SIGTERM", "SIGHUP", "SIGINT"] as const;
  stdout.on("resize", resize);
  for (const name of signals) process.on(name, quit);
  try {
    await live(options, effects, dispatch, signal, clock);
  } finally {
    ended.abort();
    for (const name of signals) process.off(name, quit);
    stdout.off("resize", resize);
    screen.unmount();
    await screen.waitUntilExit();
    terminal.leave();
  }
}

/** Reads what is shown and then follows the log, until the person leaves. */
async function live(
  { client }: TuiOptions,
  effects: Effects,
  dispatch: (message: Message) => void,
  signal: AbortSignal,
  clock: Clock,
): Promise<void> {
  const left = new Promise<void>((resolve) => {
    signal.addEventListener("abort", () => resolve(), { once: true });
  });
  const following = async (): Promise<void> => {
    const after = await effects.start();
    const reload = (): void => dispatch({ type: "reload" });
    reload();
    const refresh = async (uids: readonly string[]): Promise<void> => await effects.refresh(uids);
    await follow({ client, clock, signal, after, dispatch, refresh, reload });
  };
  const failed = following().catch((error: unknown) => {
    if (!signal.aborted) dispatch({ type: "failed", text: textOf(error) });
  });
  await left;
  await failed;
}
