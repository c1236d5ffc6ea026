import { send } from "../acts.ts";
import { ownersOf } from "../choices.ts";
import { openIssue } from "../detail.ts";
import { fieldOf } from "../field.ts";
import { clearRequest, moveInInbox, requestUnderCursor, whyNoRequest } from "../inbox.ts";
import { step } from "../step.ts";
import { type Doings, to, writing } from "./doing.ts";

export const INBOX = {
  "inbox-down": to((state) => moveInInbox(state, 1)),
  "inbox-up": to((state) => moveInInbox(state, -1)),
  "inbox-open": {
    run: (state) => openIssue(state, requestUnderCursor(state)?.issue_uid),
    why: whyNoRequest,
  },
  "inbox-clear": writing({
    run: (state) => {
      const write = clearRequest(state);
      return write === undefined ? step(state) : send(state, [write]);
    },
    why: whyNoRequest,
  }),
  "inbox-address": {
    run: (state) => {
      const { address } = state.inbox;
      const choices = [state.actor, ...ownersOf(state)];
      return step({
        ...state,
        sheet: {
          sheet: "prompt",
          kind: "address",
          label: "requests for",
          field: fieldOf(address),
          uids: [],
          before: address,
          choices: [...new Set(choices)],
        },
      });
    },
  },
} satisfies Doings;
