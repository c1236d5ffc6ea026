import type { Message, MessageOf, ScreenMessages } from "./message.ts";
import type { State } from "./state.ts";
import type { Step } from "./step.ts";

/** For each type of message that a folder handles, the function that handles it. */
export type Reducer<Type extends Message["type"]> = {
  readonly [Each in Type]: (state: State, message: MessageOf<Each>) => Step;
};

/** The types of the messages that only one screen handles. */
export type ScreenMessage = {
  [Name in keyof ScreenMessages]: keyof ScreenMessages[Name];
}[keyof ScreenMessages];

/** Handles all messages that only this screen has; `undefined` for a screen without such messages. */
export type ScreenReducer<Name> = Name extends keyof ScreenMessages
  ? Reducer<keyof ScreenMessages[Name] & ScreenMessage>
  : undefined;
