import { Box, Text, useCursor } from "ink";
import {
  createElement,
  memo,
  type ReactElement,
  useLayoutEffect,
  useMemo,
  useSyncExternalStore,
} from "react";
import type { Clock } from "../src/base/clock.ts";
import type { State } from "../src/screen/state.ts";
import { listen } from "./keyboard.ts";
import { placeOfCursor } from "./screens/cursor.ts";
import { frame } from "./screens/frame.ts";
import type { Store } from "./store.ts";
import type { Paint } from "./style.ts";

export interface AppProps {
  readonly store: Store;
  readonly paint: Paint;
  /** For a terminal that says its background is light. */
  readonly light?: Paint;
  readonly clock: Clock;
  /** Another number draws every line anew. */
  readonly turn?: number;
  readonly stdin: NodeJS.ReadableStream;
}

/** The whole program as Ink sees it: lines that are drawn, and a stream of keys. No JSX, so Node runs it as it is. */
export function App({
  store,
  paint,
  light = paint,
  clock,
  turn = 0,
  stdin,
}: AppProps): ReactElement {
  const pictureNow = useMemo(() => pictures(store.get, paint, light), [store, paint, light]);
  const { lines: drawn, cursor, width, height } = useSyncExternalStore(store.subscribe, pictureNow);
  const { setCursorPosition } = useCursor();
  // At once: what comes between a picture and the next turn would be heard by nobody.
  useLayoutEffect(() => listen(stdin, clock, store.dispatch), [stdin, store, clock]);
  setCursorPosition(cursor);
  const lines = drawn.map((text, key) => createElement(Line, { key, text }));
  return createElement(Box, { key: turn, flexDirection: "column", width, height }, lines);
}

interface Picture {
  readonly lines: readonly string[];
  readonly cursor: ReturnType<typeof placeOfCursor>;
  readonly width: number;
  readonly height: number;
}

/** What is seen of the state: the same picture until another is to be seen, so that Ink hears of nothing else. */
function pictures(get: () => State, paint: Paint, light: Paint): () => Picture {
  let from: State | undefined;
  let known: Picture | undefined;
  return () => {
    const state = get();
    if (known !== undefined && state === from) return known;
    const lines = frame(state, state.preferences.light ? light : paint);
    const { columns: width, rows: height } = state.window;
    const picture = { lines, cursor: placeOfCursor(state, lines), width, height };
    // Only now: React asks once more after an error in drawing, and must meet it again.
    from = state;
    if (known === undefined || !isSame(known, picture)) known = picture;
    return known;
  };
}

function isSame(a: Picture, b: Picture): boolean {
  return (
    a.width === b.width &&
    a.height === b.height &&
    a.cursor.x === b.cursor.x &&
    a.cursor.y === b.cursor.y &&
    a.lines.length === b.lines.length &&
    a.lines.every((line, at) => line === b.lines[at])
  );
}

/** Drawn again only when its text is another. */
const Line = memo(function Line({ text }: { readonly text: string }): ReactElement {
  return createElement(Text, { wrap: "truncate" }, text);
});
