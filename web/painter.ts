import type { ComponentType } from "react";
import type { Message, Target } from "../src/screen/message.ts";
import type { Screen, State } from "../src/screen/state.ts";
import type { IconName } from "./parts/icon.tsx";

/**
 * The props of a component that draws a part of the page, called a painter. A painter gets the state and a way to send
 * messages, and nothing else: it calls no daemon and keeps no data, apart from what only concerns the browser (how far
 * something is scrolled, which element is hovered).
 *
 * To add a painter for a screen:
 * - Write `painters/<screen>.tsx` with a function of these props.
 * - Name the function in `painters.ts`, with title and icon, and in `later.ts`; put its styles into `styles/lines.css`.
 * - Take the rows and the cursor from `src/screen/<screen>/`. Draw them in a `RowsScreen` of `parts/screen.tsx` with
 *   `parts/lines.tsx`.
 * - Send `pointed({ is: "row", at })` for a click.
 * - Draw a screen that is empty or still loading with `parts/empty.tsx`.
 * - Use a `CommandButton` for each button.
 *
 * Keys need no code: they go through the key table.
 */
export interface PainterProps {
  readonly state: State;
  readonly send: Send;
}

/** How the page draws a screen, with the screen's title and icon. Each screen of `src/screen/screens.ts` has one. */
export interface PagePainter {
  readonly name: Screen;
  readonly title: string;
  readonly icon: IconName;
  readonly Painter: ComponentType<PainterProps>;
}

/** Sends a message, such as a click, to the reducer of the state. */
export type Send = (message: Message) => void;

/**
 * A click or tap on `place`. The state may take two clicks on the same `spot` as a double click. On the page the spot
 * is the place itself, because the browser tells which element was clicked.
 */
export function pointMessage(place: Target): Message {
  return { type: "chosen", place, spot: JSON.stringify(place) };
}

export function key(name: string): Message {
  return { type: "key", key: name };
}
