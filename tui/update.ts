import type { State } from "../src/screen/state.ts";
import type { Message, Step } from "../src/screen/step.ts";
import { update as updateScreen } from "../src/screen/update.ts";
import { type Mouse, pointed } from "./mouse.ts";

/** Messages of the terminal: those of the screen, and the mouse. */
export type TerminalMessage = Message | Mouse;

export function update(state: State, message: TerminalMessage): Step {
  return updateScreen(state, message.type === "mouse" ? pointed(state, message) : message);
}
