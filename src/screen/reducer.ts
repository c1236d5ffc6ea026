import type { Message, MessageOf } from "./message.ts";
import type { State } from "./state.ts";
import type { Step } from "./step.ts";

/** What the messages of one folder do, by their types. */
export type Reducer<Type extends Message["type"]> = {
  readonly [Each in Type]: (state: State, message: MessageOf<Each>) => Step;
};
