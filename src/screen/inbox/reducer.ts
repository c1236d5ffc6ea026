import type { ScreenReducer } from "../reducer.ts";
import { step } from "../step.ts";
import { withInbox } from "./inbox.ts";

export const inboxReducer: ScreenReducer<"inbox"> = {
  inbox: (state, { address, all, inbox }) => {
    const isAsked = address === state.inbox.address && all === state.inbox.all;
    return step(isAsked ? withInbox(state, inbox) : state);
  },
};
