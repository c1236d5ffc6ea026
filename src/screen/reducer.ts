import type { Message, MessageOf } from "./message.ts";
import type { State } from "./state.ts";
import type { Step } from "./step.ts";

/** The functions for a folder's messages, by message type. */
export type Reducer<Type extends Message["type"]> = {
  readonly [Each in Type]: (state: State, message: MessageOf<Each>) => Step;
};
