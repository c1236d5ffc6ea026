import { type Empty, GO_TO_BOARD, keysOf, LOADING } from "../empty-text.ts";
import { personIn } from "../forms/person.ts";
import { hint } from "../messages/messages.ts";
import { cursorIn, type ScreenRecord } from "../screen.ts";
import { CURSOR, CUT } from "../signs.ts";
import type { State } from "../state.ts";
import { step } from "../step.ts";
import { askAddress, INBOX_COMMANDS } from "./commands.ts";
import { issueUidOf, loadInbox, readAddress, requestIssue, touchesInbox } from "./inbox.ts";
import { INBOX_KEYS } from "./keys.ts";
import { inboxReducer } from "./reducer.ts";
import { initialInbox } from "./state.ts";

declare module "../forms/dialog.ts" {
  interface PromptKinds {
    readonly inbox: "address";
  }
}

/** A read waits this long after an event, so that a burst of events causes one read. */
const AFTER_EVENT_MS = 150;

/** The attention requests to the person. They are always read, because their number is shown on every screen. */
export const INBOX: ScreenRecord<"inbox"> = {
  name: "inbox",
  initial: ({ inboxOf }) => initialInbox(inboxOf),
  // An inbox address that is not the actor's name comes from a setting, so it is the same for every daemon.
  carriedOver: ({ inbox: { own }, session }, actor) => ({
    inboxOf: own === session.actor ? actor : own,
  }),

  keys: INBOX_KEYS,
  help: { inbox: { where: "in the inbox", heading: "Inbox" } },
  signs: { inbox: [CURSOR, CUT] },
  shownBy: "inbox",
  opensBy: "inbox-open",
  commands: INBOX_COMMANDS,
  scopes: [["inbox", "lines", "issue", "everywhere"]],
  filter: askAddress,
  prompts: {
    address: {
      needsText: true,
      names: "name",
      answer: (state, dialog, text) => {
        const person = personIn(state, text);
        return "doubt" in person
          ? hint({ ...state, dialog }, person.doubt)
          : readAddress(state, person.name);
      },
    },
  },
  forms: undefined,
  targets: undefined,

  rows: {
    ...cursorIn("inbox"),
    count: ({ inbox }) => inbox.requests?.length ?? 0,
    issues: (state) => (state.inbox.requests ?? []).map((item) => issueUidOf(state, item)),
    isRead: ({ inbox: { requests, error } }) => requests !== undefined || error !== undefined,
  },
  issueUnderCursor: requestIssue,
  issueBeside: requestIssue,
  hasMarks: true,

  empty,
  emptyActs: ({ inbox }) =>
    inbox.all
      ? [GO_TO_BOARD]
      : [{ command: "inbox-all", label: "Look at all your addresses" }, GO_TO_BOARD],

  reducer: inboxReducer,
  reads: (state) => [loadInbox(state)],
  readsAfterEvents: (state, events) =>
    events.some(touchesInbox) ? [loadInbox(state, AFTER_EVENT_MS)] : [],
  afterWrites: (state, { changed }) =>
    step(state, ...(changed === "requests" ? [loadInbox(state)] : [])),
  // A request that was not cleared may have been replaced.
  readsAfterRefusal: (state, failed) =>
    failed.some(({ write }) => write.act === "clear") ? [loadInbox(state)] : [],

  address: undefined,
};

function empty(state: State): Empty | undefined {
  const { requests, address, all } = state.inbox;
  if (requests === undefined) return LOADING;
  if (requests.length > 0) return undefined;
  const key = keysOf(state);
  return {
    why: `nobody asks ${address} for anything`,
    byKey: [
      ...(all ? [] : [`${key("inbox-all")} looks at all your addresses`]),
      `${key("notify")} on an issue asks somebody; so does: svc notify <ref> --to ${address}`,
    ],
    next: [],
  };
}
