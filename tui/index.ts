import { type Clock, systemClock } from "../src/base/clock.ts";
import type { SavedView } from "../src/screen/board/state.ts";
import type { DaemonItem } from "../src/screen/connection/state.ts";
import { textOf } from "../src/screen/effects/failures.ts";
import { offerDrafts } from "../src/screen/forms/drafts.ts";
import { ASCII, UNICODE } from "../src/screen/glyphs.ts";
import { type KeyChoices, keymapOf } from "../src/screen/keymap.ts";
import type { LayoutChoice } from "../src/screen/preferences/state.ts";
import type { Scope } from "../src/screen/projects/state.ts";
import { seenIn } from "../src/screen/seen.ts";
import { selectionOf } from "../src/screen/selection.ts";
import { initialState } from "../src/screen/state.ts";
import type { Message } from "../src/screen/step.ts";
import type { Clipboard } from "./clipboard.ts";
import { DraftKeeper, readDrafts } from "./drafts.ts";
import { type Exit, watchExits } from "./exits.ts";
import { type Feed, feedOf, type Source } from "./feed.ts";
import { TERMINAL } from "./fit.ts";
import { listen } from "./keyboard.ts";
import { openReader } from "./reader/reader.ts";
import { openScreen, type Screen } from "./screen.ts";
import { createStore, type Store } from "./store.ts";
import { type ColourMode, painter, type Theme } from "./style.ts";
import { terminalOf } from "./terminal.ts";
import type { Surface } from "./terminal-effects.ts";

export { readRecording } from "./recording/format.ts";

export interface TuiOptions {
  readonly source: Source;
  readonly actor: string;
  /** The name of the daemon as people know it. */
  readonly daemon: string;
  /** Those that a person can change to. */
  readonly daemons: readonly DaemonItem[];
  /** Where config.toml is, which names them. */
  readonly configFile: string;
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
  /** Holders without an event for so long are marked as silent in the fleet. */
  readonly silentAfterMs: number;
  /** Nothing changes by time alone. */
  readonly calm: boolean;
  /** What was wrong with the settings of the screen. */
  readonly problems: readonly string[];
  readonly clipboard: Omit<Clipboard, "write">;
  /** The terminal's cursor is seen everywhere, not only where text is typed. */
  readonly showCursor: boolean;
  /** Lines that are said one after the other, instead of a screen. */
  readonly screenReader: boolean;
  /** The terminal writes what it is sent, and knows no sequences. */
  readonly dumb: boolean;
  readonly mouse: boolean;
  readonly confirmQuit: boolean;
  readonly editor: string;
  readonly session: string;
  /** Whose requests the inbox shows at first. */
  readonly inboxOf: string;
  readonly views: readonly SavedView[];
  /** Keeps the filter under that name, or without one forgets it, and gives all that are kept. */
  saveView(name: string, query: string | undefined): Promise<readonly SavedView[]>;
  /** Where drafts are kept that a signal or an error would lose; nothing: nowhere. */
  readonly draftFolder: string | undefined;
  readonly stdin?: NodeJS.ReadStream;
  readonly stdout?: NodeJS.WriteStream;
  readonly clock?: Clock;
}

/** Who waits longer sees that something is being read. */
const FIRST_ROWS_MS = 50;

/** Lines that are said have no room to fit in; this is what a page of them is. */
const READER_SIZE = { columns: 99, rows: 30 };

/**
 * The terminal screen, from its first picture until the person leaves it. The terminal is as before on every way out.
 * Gives the exit code, 0 or what a shell expects of a program that a signal ended, and what was selected when the person
 * left.
 */
export async function runTui(
  options: TuiOptions,
): Promise<{ readonly code: number; readonly selected: readonly string[] }> {
  const { clock = systemClock } = options;
  const { stdin = process.stdin, stdout = process.stdout } = options;
  const { editor, clipboard, showCursor, screenReader, dumb } = options;
  const mouse = options.mouse && !screenReader;
  const { keys, problems } = keymapOf(options.keys);
  const ended = new AbortController();
  const { signal } = ended;
  const quit = (): void => ended.abort();
  const follows = options.colours === "auto" && !screenReader;
  const alternate = !screenReader;
  const modes = { mouse, follows, alternate, pastes: !dumb };
  const terminal = terminalOf({ stdin, stdout, clock, signal, clipboard, editor, ...modes });
  let screen: Screen | undefined;
  const surface: Surface = {
    clock,
    signal,
    dispatch: (message) => (screen ?? store).dispatch(message),
    seen: () => seenIn(store.get()),
    quit,
    copy: terminal.copy,
    editText: async (text) => {
      try {
        return terminal.edit(text);
      } finally {
        screen?.repaint();
      }
    },
    saveView: options.saveView,
    dropDraft: (id) => keeper.drop(id),
    repaint: () => screen?.repaint(),
    suspend: async () => {
      await terminal.suspend();
      if (!signal.aborted) screen?.repaint();
    },
  };
  const { source, actor, daemon, version: svc, scope, open, inboxOf } = options;
  const opening = { at: clock.now(), svc, actor, daemon, inboxOf, scope, open };
  const feed = feedOf({ source, surface, clock, actor, opening });
  const calmer = screenReader ? ({ calm: true, layout: "stacked" } as const) : {};
  const { columns, rows } = screenReader ? READER_SIZE : stdout;
  const now = feed.clock.now();
  const { draftFolder } = options;
  const drafts = draftFolder === undefined ? [] : readDrafts(draftFolder);
  const size = { columns, rows };
  const start = {
    ...options,
    ...calmer,
    ...size,
    fit: TERMINAL,
    keys,
    now,
    drafts,
    replay: feed.replay,
  };
  const initial = offerDrafts(initialState(start));
  // What runs effects tells the store of them, and the store has effects run.
  const store = feed.listening(createStore(initial, feed.clock, (effect) => feed.run(effect)));
  const keeper = new DraftKeeper(draftFolder, store.get);
  for (const text of [...options.problems, ...problems].toReversed())
    store.dispatch({ type: "failed", text });
  let exit: Exit | undefined;
  const leave = (why: Exit): void => {
    if (exit === undefined) keeper.keep();
    exit ??= why;
    quit();
  };
  const unwatch = watchExits({ stdin, stdout }, leave);
  terminal.enter();
  const { dispatch } = surface;
  const resize = (): void => {
    if (screenReader) return;
    dispatch({ type: "resize", columns: stdout.columns, rows: stdout.rows });
    screen?.repaint();
  };
  stdout.on("resize", resize);
  // Nobody sees yet what a key would act on: until there is a picture, the terminal alone is heard.
  const deafen = listen(stdin, clock, (input) => {
    if (input.type === "background") dispatch(input);
  });
  follow(feed, dispatch, signal);
  try {
    if (!screenReader && scope !== undefined) await firstRows(store, clock, signal);
    screen = screenReader
      ? openReader({ store, clock, signal, stdin, stdout })
      : openScreen({ store, clock, stdin, stdout, ...lookOf(options), showCursor });
    deafen();
    screen.crashed.catch((error: unknown) => leave({ exit: "error", error }));
    await abortOf(signal);
  } finally {
    ended.abort();
    stdout.off("resize", resize);
    await screen?.close();
    terminal.leave();
    unwatch();
    await feed.close();
    stdout.write(keeper.close(exit !== undefined));
  }
  const code = codeOf(exit);
  return { code, selected: code === 0 ? selectionOf(store.get()) : [] };
}

/** An error of the screen's own is thrown once the terminal can show it. */
function codeOf(exit: Exit | undefined): number {
  if (exit?.exit === "error") throw exit.error;
  return exit?.exit === "signal" ? exit.code : 0;
}

function lookOf({ colours, theme, manyColours, glyphs }: TuiOptions) {
  const look = { theme, manyColours, glyphs: glyphs === "unicode" ? UNICODE : ASCII };
  const paint = painter(colours === "auto" ? "dark" : colours, look);
  return { paint, light: colours === "auto" ? painter("light", look) : paint };
}

/** Whatever becomes of what is shown: nobody who leaves waits for what is still being read. */
function follow(feed: Feed, dispatch: (message: Message) => void, signal: AbortSignal): void {
  void feed.follow().catch((error: unknown) => {
    if (!signal.aborted) dispatch({ type: "failed", text: textOf(error) });
  });
}

/** A picture without rows is not drawn where they come at once: it takes as long as the one with them. */
async function firstRows(store: Store, clock: Clock, signal: AbortSignal): Promise<void> {
  const come = new AbortController();
  const unsubscribe = store.subscribe(() => {
    const {
      loading: { stage: loading },
    } = store.get();
    if (loading === "rest" || loading === "done") come.abort();
  });
  await clock.sleep(FIRST_ROWS_MS, AbortSignal.any([come.signal, signal]));
  unsubscribe();
}

async function abortOf(signal: AbortSignal): Promise<void> {
  await new Promise<void>((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener("abort", () => resolve(), { once: true });
  });
}
