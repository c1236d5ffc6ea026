import type { Clock } from "../../src/base/clock.ts";
import { type State, withSlice } from "../../src/screen/state.ts";
import { listen } from "../keyboard.ts";
import type { Screen } from "../screen.ts";
import type { Store } from "../store.ts";
import { clean } from "../text.ts";
import type { TerminalMessage } from "../update.ts";
import { ChangesByOthers } from "./changes-by-others.ts";
import { inputLine, keysMeant, speech } from "./speech.ts";
import { aboutRow } from "./spoken-screen.ts";
import { retyped, type TypedLine, UNTYPED, windowed } from "./typed.ts";

export interface ReaderOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly stdin: NodeJS.ReadStream;
  readonly stdout: NodeJS.WriteStream;
}

const READ_KEY = ".";
const ROW_KEY = ",";

/** The screen for a screen reader: lines one after the other, without the alternate buffer. */
export function openReader({ store, clock, signal, stdin, stdout }: ReaderOptions): Screen {
  let lastState = store.get();
  let typed: TypedLine | undefined;
  const changes = new ChangesByOthers(clock, signal, (count) =>
    say([`${count} changed, ${READ_KEY} reads what`]),
  );

  const say = (lines: readonly string[]): void => {
    const input = inputLine(store.get());
    const line = input && windowed(input, Math.max(1, stdout.columns - 1));
    // A line that is being typed is repeated below the new lines.
    const isLeft = typed !== undefined && lines.length > 0;
    const above = `${isLeft ? "\r\n" : ""}${lines.map((text) => `${clean(text)}\r\n`).join("")}`;
    const from = lines.length > 0 ? UNTYPED : (typed ?? UNTYPED);
    const text = above + retyped(from, line ?? UNTYPED);
    if (text !== "") stdout.write(text);
    typed = line;
  };

  const dispatch = (message: TerminalMessage): void => {
    store.dispatch(message);
    const now = store.get();
    const lines = speech(lastState, now, message.type);
    lastState = now;
    say(lines);
    if (message.type === "events") changes.note(now.session.actor, message.events);
  };

  const stop = listen(stdin, clock, (input) => {
    if (input.type !== "key") return dispatch(input);
    const state = store.get();
    if (state.dialog === undefined && input.key === READ_KEY) return say(changes.read(state));
    if (state.dialog === undefined && input.key === ROW_KEY) return say(aboutRow(state));
    for (const key of keysMeant(state, input.key)) dispatch({ type: "key", key });
  });
  const bare = { ...lastState, dialog: undefined };
  const elsewhere: State = { ...bare, screen: lastState.screen === "board" ? "inbox" : "board" };
  say([...speech(elsewhere, bare, "key"), ...speech(bare, lastState, "key")]);
  return {
    dispatch,
    repaint: () =>
      say(speech(withSlice(lastState, "scope", { project: undefined }), lastState, "key")),
    close: async () => {
      stop();
      stdout.write("\r\n");
      await Promise.resolve();
    },
    crashed: new Promise<never>(() => undefined),
  };
}
