import type { Reducer } from "../reducer.ts";
import { andThen } from "../step.ts";
import { reverseOnceAnswered } from "../writes/undo.ts";
import { onRefused, onWritten } from "./answered.ts";

export const writeAnswersReducer: Reducer<"written" | "refused"> = {
  written: (state, message) =>
    andThen(onWritten(state, message), (now) => reverseOnceAnswered(now, message.id)),
  refused: (state, message) =>
    andThen(onRefused(state, message), (now) => reverseOnceAnswered(now, message.id)),
};
