import type { InboxRequest, InboxState, State } from "./state.ts";
import { type Effect, type Step, step } from "./step.ts";
import type { Write } from "./writes.ts";

export function requestUnderCursor({ inbox }: State): InboxRequest | undefined {
  return inbox.requests?.[inbox.cursor];
}

/** `wait`: together with what is asked for until then. */
export function loadInbox({ inbox, scope }: State, wait = 0): Effect {
  return { effect: "load-inbox", address: inbox.address, project_id: scope.project?.id, wait };
}

export function moveInInbox(state: State, by: number): State {
  const { inbox } = state;
  const last = Math.max(0, (inbox.requests?.length ?? 0) - 1);
  return { ...state, inbox: { ...inbox, cursor: Math.max(0, Math.min(inbox.cursor + by, last)) } };
}

/** Another exact name: `worker` is not `worker/adapter`. */
export function readAddress(state: State, address: string): Step {
  const inbox: InboxState = { address, requests: undefined, cursor: 0, error: undefined };
  const next: State = { ...state, inbox };
  return step(next, loadInbox(next));
}

/** The cursor stays on its request where that is still there. */
export function withInbox(state: State, change: Partial<InboxState>): State {
  const before = requestUnderCursor(state);
  const inbox = { ...state.inbox, ...change };
  const at = inbox.requests?.findIndex(({ issue_uid }) => issue_uid === before?.issue_uid) ?? -1;
  const last = Math.max(0, (inbox.requests?.length ?? 0) - 1);
  return { ...state, inbox: { ...inbox, cursor: at === -1 ? Math.min(inbox.cursor, last) : at } };
}

/** Clears the request that is read, and no newer one that took its place meanwhile. */
export function clearRequest(state: State): Write | undefined {
  const request = requestUnderCursor(state);
  if (request === undefined) return undefined;
  const { project_id, issue_uid, event_uid, ref } = request;
  const issue = state.issues.get(issue_uid);
  const name = issue?.qualified_id ?? ref;
  const at = { uid: issue_uid, project_id, ref: issue_uid, name };
  return { act: "clear", at, to: state.inbox.address, event_uid };
}

export function whyNoRequest(state: State): string | undefined {
  return requestUnderCursor(state) === undefined ? "there is no request" : undefined;
}
