import type { State } from "../src/screen/state.ts";
import type { Message, Step } from "../src/screen/step.ts";
import { update as updateScreen } from "../src/screen/update.ts";
import { type Mouse, pointed } from "./mouse.ts";

/** What happens to a screen on a terminal: the mouse is told by what it points at. */
export type TerminalMessage = Message | Mouse;

export function update(state: State, message: TerminalMessage): Step {
  return updateScreen(state, message.type === "mouse" ? pointed(state, message) : message);
}
