import type { Message, MessageOf } from "./message.ts";
import type { State } from "./state.ts";
import type { Step } from "./step.ts";

/** For each type of message that a folder handles, the function that handles it. */
export type Reducer<Type extends Message["type"]> = {
  readonly [Each in Type]: (state: State, message: MessageOf<Each>) => Step;
};
