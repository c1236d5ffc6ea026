import type { Message, Target } from "../src/screen/message.ts";
import type { State } from "../src/screen/state.ts";

/**
 * What draws a part of the page. A painter gets the state and a way to send messages, and nothing else: it reads no
 * daemon, keeps no data, and remembers only what is the browser's (what is scrolled how far, what is hovered).
 *
 * To add one for a screen: write `painters/<screen>.tsx` with a function of these props, name it in `painters.ts` and
 * `later.ts`, and put its styles into `styles/lines.css`. Take the rows and the cursor from `src/screen/<screen>/` and
 * draw them with `parts/lines.tsx`, which sends `pointed({ is: "row", at })` for a click, and what is empty or still
 * loading with `parts/empty.tsx`. A button is a `CommandButton`. Keys need nothing: they go through the key table.
 */
export interface PainterProps {
  readonly state: State;
  readonly send: Send;
}

export type Send = (message: Message) => void;

/** A click or tap on something; where it was does not matter, since a page tells rows apart by themselves. */
export function pointed(place: Target): Message {
  return { type: "chosen", place, spot: JSON.stringify(place) };
}

/** A key, as if it was pressed. */
export function key(name: string): Message {
  return { type: "key", key: name };
}
