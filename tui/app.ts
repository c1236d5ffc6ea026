import { StringDecoder } from "node:string_decoder";
import { Box, Text } from "ink";
import { createElement, memo, type ReactElement, useEffect, useSyncExternalStore } from "react";
import type { Clock } from "../src/base/clock.ts";
import { Keyboard } from "./input.ts";
import { frame } from "./screens/frame.ts";
import type { Store } from "./store.ts";
import type { Paint } from "./style.ts";

export interface AppProps {
  readonly store: Store;
  readonly paint: Paint;
  /** For a terminal that says its background is light. */
  readonly light?: Paint;
  readonly clock: Clock;
  readonly stdin: NodeJS.ReadableStream;
}

/** The whole program as Ink sees it: lines that are drawn, and a stream of keys. No JSX, so Node runs it as it is. */
export function App({ store, paint, light = paint, clock, stdin }: AppProps): ReactElement {
  const state = useSyncExternalStore(store.subscribe, store.get);
  useKeys(stdin, store, clock);
  const { columns: width, rows: height } = state;
  const lines = frame(state, state.light ? light : paint).map((text, key) =>
    createElement(Line, { key, text }),
  );
  return createElement(Box, { flexDirection: "column", width, height }, lines);
}

/** Drawn again only when its text is another. */
const Line = memo(function Line({ text }: { readonly text: string }): ReactElement {
  return createElement(Text, { wrap: "truncate" }, text);
});

/** A lone Escape may be the beginning of a key: so long it is waited for the rest. */
const ESCAPE_MS = 20;

function useKeys(stdin: NodeJS.ReadableStream, store: Store, clock: Clock): void {
  useEffect(() => {
    const keyboard = new Keyboard();
    // A read may end within a character.
    const decoder = new StringDecoder("utf8");
    let waiting = new AbortController();
    const read = (data: Buffer | string): void => {
      waiting.abort();
      for (const input of keyboard.push(decodeWith(decoder, data))) store.dispatch(input);
      if (!keyboard.pending) return;
      const mine = (waiting = new AbortController());
      void clock.sleep(ESCAPE_MS, mine.signal).then(() => {
        if (!mine.signal.aborted) for (const input of keyboard.flush()) store.dispatch(input);
      });
    };
    stdin.on("data", read);
    return () => {
      waiting.abort();
      stdin.off("data", read);
    };
  }, [stdin, store, clock]);
}

function decodeWith(decoder: StringDecoder, data: Buffer | string): string {
  return typeof data === "string" ? data : decoder.write(data);
}
