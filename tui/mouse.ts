import type { State } from "../src/screen/state.ts";
import type { Message } from "../src/screen/step.ts";
import type { Input } from "./input.ts";
import { placeAt } from "./screens/places.ts";

export type Mouse = Extract<Input, { type: "mouse" }>;

/** Lines per step of the wheel. */
const WHEEL = 3;

/** Translates a mouse event into what it points at. */
export function pointed(state: State, { act, x, y }: Mouse): Message {
  const place = placeAt(state, x, y);
  if (act === "click") return { type: "chosen", place, spot: `${x} ${y}` };
  return { type: "scrolled", place, by: act === "up" ? -WHEEL : WHEEL };
}
