import { type Clock, systemClock } from "../src/base/clock.ts";
import type { Editor } from "../src/base/editor.ts";
import { columnsOf } from "../src/screen/board/column-names.ts";
import { selectionOf } from "../src/screen/board/selection.ts";
import type { SavedView } from "../src/screen/board/state.ts";
import { visibleIssues } from "../src/screen/board/visible-issues.ts";
import { refreshAges } from "../src/screen/effects/ages.ts";
import { textOf } from "../src/screen/effects/failures.ts";
import { offerDrafts } from "../src/screen/forms/drafts.ts";
import { ASCII, UNICODE } from "../src/screen/glyphs.ts";
import { initialState } from "../src/screen/initial-state.ts";
import { type KeyChoices, keymapOf } from "../src/screen/keymap.ts";
import type { Message } from "../src/screen/message.ts";
import { SCREENS } from "../src/screen/screens.ts";
import type { Start } from "../src/screen/start.ts";
import type { State } from "../src/screen/state.ts";
import type { Clipboard } from "./clipboard.ts";
import { DraftKeeper, readDrafts } from "./drafts.ts";
import { type Exit, watchExits } from "./exits.ts";
import { type Feed, feedOf, type Source } from "./feed.ts";
import { TERMINAL } from "./fit.ts";
import { listen } from "./keyboard.ts";
import { Programs } from "./programs.ts";
import { openReader } from "./reader/reader.ts";
import { openScreen, type Screen } from "./screen.ts";
import { createStore, type Store } from "./store.ts";
import { type ColourMode, painter, type Theme } from "./style.ts";
import { terminalOf } from "./terminal.ts";
import type { Surface } from "./terminal-effects.ts";

export { readRecording } from "./recording/format.ts";

/** The fields that `runTui` sets itself, from the terminal and the source of the data. */
type FromTerminal =
  | "listColumns"
  | "fit"
  | "screens"
  | "columns"
  | "rows"
  | "now"
  | "keys"
  | "replay"
  | "drafts";

export interface TuiOptions extends Omit<Start, FromTerminal> {
  readonly source: Source;
  /** `auto` means dark, unless the terminal reports a light background. */
  readonly colours: ColourMode | "auto";
  readonly theme: Theme;
  readonly glyphs: "ascii" | "unicode";
  readonly manyColours: boolean;
  /** The names of the columns of the list. If `undefined`, the default columns are shown. */
  readonly columns: string | undefined;
  /** The keys that the person changed, by scope and command. */
  readonly keys: KeyChoices;
  readonly problems: readonly string[];
  readonly clipboard: Omit<Clipboard, "write">;
  /** Whether to show the terminal's cursor everywhere, not only in text fields. */
  readonly showCursor: boolean;
  /** Whether to print lines for a screen reader instead of drawing a screen. */
  readonly screenReader: boolean;
  /** Whether the terminal does not support escape sequences. */
  readonly dumb: boolean;
  readonly mouse: boolean;
  readonly editor: Editor;
  /**
   * Saves the filter `query` under `name`; without `query`, removes the filter of that name. Returns all saved filters.
   */
  saveView(name: string, query: string | undefined): Promise<readonly SavedView[]>;
  saveColumns(columns: string | undefined): Promise<void>;
  /**
   * The folder in which unsent drafts are saved when a signal or an error ends the screen. If `undefined`, they are not
   * saved.
   */
  readonly draftFolder: string | undefined;
  readonly stdin?: NodeJS.ReadStream;
  readonly stdout?: NodeJS.WriteStream;
  readonly clock?: Clock;
}

const FIRST_ROWS_MS = 50;

/** The exit code after ctrl+c. */
const INTERRUPTED = 130;

/** A screen reader has no screen size, so this sets the length of a page. */
const READER_SIZE = { columns: 99, rows: 30 };

/**
 * Runs the terminal screen until it is closed, and restores the terminal on every way out. Returns the selected issues
 * and the exit code: 0, or 128 plus the number of the signal that ended the screen.
 */
export async function runTui(
  options: TuiOptions,
): Promise<{ readonly code: number; readonly selected: readonly string[] }> {
  const { clock = systemClock } = options;
  const { stdin = process.stdin, stdout = process.stdout } = options;
  const { editor, clipboard, showCursor, screenReader, dumb } = options;
  const mouse = options.mouse && !screenReader;
  const ended = new AbortController();
  const { signal } = ended;
  const quit = (): void => ended.abort();
  const followsColours = options.colours === "auto" && !screenReader;
  const alternate = !screenReader;
  const modes = { mouse, followsColours, alternate, pastes: !dumb };
  const terminal = terminalOf({ stdin, stdout, clock, signal, clipboard, editor, ...modes });
  const { isAway } = terminal;
  let screen: Screen | undefined;
  const repaint = (): void => screen?.repaint();
  const programs = new Programs({ terminal, clock, signal, repaint });
  const surface: Surface = {
    clock,
    signal,
    dispatch: (message) => (screen ?? store).dispatch(message),
    seen: () => visibleIssues(store.get()),
    quit,
    copy: terminal.copy,
    editText: async (text) => programs.edit(text),
    runProgram: async (argv) => await programs.run(argv),
    saveView: options.saveView,
    saveColumns: options.saveColumns,
    dropDraft: (id) => keeper.drop(id),
    repaint,
    suspend: async () => await programs.suspend(),
  };
  const { source, actor, daemon, version: svc, scope, open, inboxOf, zone } = options;
  const opening = { at: clock.now(), svc, actor, daemon, inboxOf, zone, scope, open };
  const feed = feedOf({ source, surface, clock, actor, opening });
  const { initial, problems } = beginning(options, feed, stdout);
  const store = feed.listening(createStore(initial, feed.clock, (effect) => feed.run(effect)));
  const keeper = new DraftKeeper(options.draftFolder, store.get);
  for (const text of problems.toReversed()) store.dispatch({ type: "failed", text });
  let exit: Exit | undefined;
  const leave = (why: Exit): void => {
    if (programs.isRunning && why.exit === "signal" && why.code === INTERRUPTED) return;
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
    repaint();
  };
  stdout.on("resize", resize);
  // Until the screen is drawn, ignore keys, because nobody sees what they act on. Only a report of the terminal's
  // background is accepted.
  const stopListening = listen(stdin, clock, (input) => {
    if (input.type === "background") dispatch(input);
  });
  follow(feed, dispatch, signal);
  try {
    if (!screenReader && scope !== undefined) await firstRows(store, clock, signal);
    screen = screenReader
      ? openReader({ store, clock, signal, stdin, stdout })
      : openScreen({ store, clock, stdin, stdout, ...lookOf(options), showCursor, isAway });
    stopListening();
    if (!screenReader) void refreshAges(store, clock, signal);
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

/** The state that the screen begins with, and what is wrong with its settings. */
function beginning(
  options: TuiOptions,
  feed: Feed,
  stdout: NodeJS.WriteStream,
): { readonly initial: State; readonly problems: readonly string[] } {
  const { screenReader, draftFolder } = options;
  const { keys, problems: ofKeys } = keymapOf(options.keys, SCREENS);
  const chosen = options.columns === undefined ? undefined : columnsOf(options.columns);
  const unknown = chosen?.unknown ?? [];
  const calmer = screenReader ? ({ calm: true, layout: "stacked" } as const) : {};
  const { columns, rows } = screenReader ? READER_SIZE : stdout;
  const drafts = draftFolder === undefined ? [] : readDrafts(draftFolder);
  const known = {
    listColumns: chosen?.columns,
    fit: TERMINAL,
    screens: SCREENS,
    keys,
    now: feed.clock.now(),
    drafts,
    replay: feed.replay,
  };
  return {
    initial: offerDrafts(initialState({ ...options, ...calmer, columns, rows, ...known })),
    problems: [
      ...options.problems,
      ...ofKeys,
      ...unknown.map((name) => `tui.columns: no column is called ${name}`),
    ],
  };
}

/**
 * Returns the exit code, or throws the error that ended the screen. It is called when the terminal is restored and can
 * show the error.
 */
function codeOf(exit: Exit | undefined): number {
  if (exit?.exit === "error") throw exit.error;
  return exit?.exit === "signal" ? exit.code : 0;
}

function lookOf({ colours, theme, manyColours, glyphs }: TuiOptions) {
  const look = { theme, manyColours, glyphs: glyphs === "unicode" ? UNICODE : ASCII };
  const paint = painter(colours === "auto" ? "dark" : colours, look);
  return { paint, light: colours === "auto" ? painter("light", look) : paint };
}

/** Follows the feed without awaiting it, so that closing the screen does not wait for a read. */
function follow(feed: Feed, dispatch: (message: Message) => void, signal: AbortSignal): void {
  void feed.follow().catch((error: unknown) => {
    if (!signal.aborted) dispatch({ type: "failed", text: textOf(error) });
  });
}

/**
 * Waits at most FIRST_ROWS_MS for the first rows. Drawing a screen without rows takes about as long, and would delay
 * the rows.
 */
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
