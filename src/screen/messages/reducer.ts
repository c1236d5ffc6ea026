import type { Reducer } from "../reducer.ts";
import { say } from "./messages.ts";

export const messagesReducer: Reducer<"said" | "failed"> = {
  said: (state, { text }) => say(state, text),
  failed: (state, { text }) => say(state, text, "error"),
};
