import type { Message } from "../src/screen/message.ts";
import type { State } from "../src/screen/state.ts";
import type { Step } from "../src/screen/step.ts";
import { update as updateScreen } from "../src/screen/update.ts";
import type { Input } from "./input.ts";
import { placeAt } from "./screens/places.ts";

type Mouse = Extract<Input, { type: "mouse" }>;

export type TerminalMessage = Message | Mouse;

export function update(state: State, message: TerminalMessage): Step {
  return updateScreen(state, message.type === "mouse" ? pointed(state, message) : message);
}

const WHEEL = 3;

function pointed(state: State, { act, x, y }: Mouse): Message {
  const place = placeAt(state, x, y);
  if (act === "click") return { type: "chosen", place, spot: `${x} ${y}` };
  return { type: "scrolled", place, by: act === "up" ? -WHEEL : WHEEL };
}
