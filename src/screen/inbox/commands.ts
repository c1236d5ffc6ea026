import type { CommandHandlers } from "../command.ts";
import { writeCommand } from "../commands/command-handler.ts";
import { openIssue } from "../detail/detail.ts";
import { promptDialog } from "../forms/dialog.ts";
import { openNewForm } from "../forms/forms.ts";
import { commentForm } from "../forms/text-forms.ts";
import { ownersOf } from "../issues/choices.ts";
import { moveLines } from "../lines.ts";
import { hint } from "../messages/messages.ts";
import { type State, toScreen } from "../state.ts";
import { type Step, step } from "../step.ts";
import { ask } from "../writes/sending.ts";
import {
  clearRequest,
  clearRequests,
  loadInbox,
  markRequest,
  requestIssue,
  requestUnderCursor,
  toggleAll,
  whyNoRequest,
} from "./inbox.ts";
import type { InboxItem } from "./state.ts";

const NOT_LOADED = "this issue is not loaded here";

export const INBOX_COMMANDS = {
  inbox: { run: (state) => step(toScreen(state, "inbox"), loadInbox(state)) },
  "inbox-open": {
    run: (state) => openIssue(state, requestIssue(state)),
    why: (state) =>
      whyNoRequest(state) ?? (requestIssue(state) === undefined ? NOT_LOADED : undefined),
  },
  "inbox-clear": writeCommand({ run: clear, why: whyNoRequest }),
  "inbox-answer": writeCommand({
    run: (state) => {
      const item = requestUnderCursor(state);
      const issue = state.issues.get(requestIssue(state) ?? "");
      if (item === undefined || issue === undefined) return hint(state, NOT_LOADED);
      const after = clearRequest(state, item);
      return openNewForm(state, (id) => {
        const form = commentForm(state, issue, id, after, askerOf(state, item));
        return { ...form, about: askedText(item) };
      });
    },
    why: whyNoRequest,
  }),
  "inbox-mark": {
    run: (state) => {
      const marked = markRequest(state);
      return marked === undefined ? hint(state, NOT_LOADED) : moveLines(marked, 1);
    },
    why: whyNoRequest,
  },
  "inbox-all": { run: toggleAll },
  "inbox-address": { run: askAddress },
} satisfies CommandHandlers;

export function askAddress(state: State): Step {
  const { address } = state.inbox;
  const label = `requests not for ${address} but for`;
  const choices = [...new Set([state.inbox.own, state.session.actor, ...ownersOf(state)])];
  return step({ ...state, dialog: promptDialog("address", label, { choices }) });
}

/**
 * The sender of a request, who is notified of the answer; `undefined` if the request came from the person or from one
 * of the person's own addresses.
 */
function askerOf({ inbox, session }: State, { from, to }: InboxItem): string | undefined {
  return [session.actor, inbox.own, to].some((own) => own === from) ? undefined : from;
}

function askedText({ from, message, fault }: InboxItem): string {
  return fault ?? `${from ?? "somebody"} asks: ${message ?? ""}`;
}

function clear(state: State): Step {
  const writes = clearRequests(state);
  if (writes.length === 0) return hint(state, "the project of this request is not known here");
  const [first, second] = writes;
  const one = first?.act === "clear" && second === undefined ? first : undefined;
  const what = one === undefined ? `${writes.length} requests` : `the request on ${one.at.name}`;
  const they = one === undefined ? "they do" : "it does";
  return ask(state, writes, `clear ${what}? ${they} not come back`);
}
