import { Box, Text, useCursor } from "ink";
import { createElement, memo, type ReactElement, useEffect, useSyncExternalStore } from "react";
import type { Clock } from "../src/base/clock.ts";
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
  const state = useSyncExternalStore(store.subscribe, store.get);
  const { setCursorPosition } = useCursor();
  useEffect(() => listen(stdin, clock, store.dispatch), [stdin, store, clock]);
  const { columns: width, rows: height } = state;
  const drawn = frame(state, state.light ? light : paint);
  setCursorPosition(placeOfCursor(state, drawn));
  const lines = drawn.map((text, key) => createElement(Line, { key, text }));
  return createElement(Box, { key: turn, flexDirection: "column", width, height }, lines);
}

/** Drawn again only when its text is another. */
const Line = memo(function Line({ text }: { readonly text: string }): ReactElement {
  return createElement(Text, { wrap: "truncate" }, text);
});
