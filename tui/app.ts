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
  /** The colours to use when the terminal reports a light background. */
  readonly light?: Paint;
  readonly clock: Clock;
  /** Counts repaints: a new number makes React draw every line again. */
  readonly repaints?: number;
  readonly stdin: NodeJS.ReadableStream;
}

/**
 * The root component: draws the lines and listens for keys. It uses no JSX, so that Node can run this file from source.
 * A list that scrolls is drawn anew and not scrolled by the terminal: Ink compares each picture with the lines that it
 * drew last, and cannot be told of lines that moved.
 */
export function App({
  store,
  paint,
  light = paint,
  clock,
  repaints = 0,
  stdin,
}: AppProps): ReactElement {
  const pictureNow = useMemo(() => pictures(store.get, paint, light), [store, paint, light]);
  const { lines: drawn, cursor, width, height } = useSyncExternalStore(store.subscribe, pictureNow);
  const { setCursorPosition } = useCursor();
  // Listen in a layout effect: an ordinary effect runs later, and keys pressed before it would be lost.
  useLayoutEffect(() => listen(stdin, clock, store.dispatch), [stdin, store, clock]);
  setCursorPosition(cursor);
  const lines = drawn.map((text, key) => createElement(Line, { key, text }));
  return createElement(Box, { key: repaints, flexDirection: "column", width, height }, lines);
}

interface Picture {
  readonly lines: readonly string[];
  readonly cursor: ReturnType<typeof placeOfCursor>;
  readonly width: number;
  readonly height: number;
}

/** Returns the same picture object until something visible changes, so that Ink does not render again. */
function pictures(get: () => State, paint: Paint, light: Paint): () => Picture {
  let from: State | undefined;
  let known: Picture | undefined;
  return () => {
    const state = get();
    if (known !== undefined && state === from) return known;
    const lines = frame(state, state.preferences.light ? light : paint);
    const { columns: width, rows: height } = state.window;
    const picture = { lines, cursor: placeOfCursor(state, lines), width, height };
    // Remember the state only after drawing succeeded. If drawing throws, React calls this function again and must get
    // the same error.
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

const Line = memo(function Line({ text }: { readonly text: string }): ReactElement {
  return createElement(Text, { wrap: "truncate" }, text);
});
