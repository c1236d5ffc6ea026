import { addressOf } from "../../domain/inbox/slot.ts";
import type { Effect } from "../effect.ts";
import type { Issue } from "../issues/issues.ts";
import { namedIssue } from "../issues/names.ts";
import type { LiveEvent } from "../message.ts";
import { rowToKeep } from "../scroll.ts";
import type { State } from "../state.ts";
import { type Step, step } from "../step.ts";
import { toggleInSet } from "../toggle-in-set.ts";
import type { Write } from "../writes/writes.ts";
import type { InboxItem, InboxState } from "./state.ts";

export function requestUnderCursor({ inbox }: Pick<State, "inbox">): InboxItem | undefined {
  return inbox.requests?.[inbox.cursor];
}

/** The issue of a request, if it is loaded. An unreadable request has only the issue's name. */
export function issueOfRequest(state: State, { issue_uid, ref }: InboxItem): Issue | undefined {
  return issue_uid === undefined ? namedIssue(state, ref) : state.issues.get(issue_uid);
}

export function requestIssue(state: State): string | undefined {
  const item = requestUnderCursor(state);
  return item === undefined ? undefined : issueUidOf(state, item);
}

/**
 * The effect that reads the requests. With `wait`, calls within that many milliseconds after the first call cause a
 * single read.
 */
export function loadInbox(state: State, wait = 0): Effect {
  return { effect: "load-inbox", addresses: addressesOf(state), all: state.inbox.all, wait };
}

/**
 * The addresses whose requests are shown: normally only the current address. With `all`, these are all addresses of the
 * person: the current address, the person's names, and each address below one of them (`name/adapter`) that has
 * requests.
 */
export function addressesOf(state: State): readonly string[] {
  const { address, all } = state.inbox;
  if (!all) return [address];
  const own = [...new Set([address, state.inbox.own, state.session.actor])];
  const found = new Set<string>();
  for (const { metadata, status } of state.issues.values()) {
    if (status !== "open") continue;
    for (const key in metadata) {
      const name = addressOf(key);
      if (name !== undefined && own.some((mine) => name.startsWith(`${mine}/`))) found.add(name);
    }
  }
  return [...own, ...[...found].toSorted()];
}

/** Shows the requests to one address. Addresses match exactly: `worker` is not `worker/adapter`. */
export function readAddress(state: State, address: string): Step {
  return read(state, { address, all: false });
}

export function toggleAll(state: State): Step {
  const { address, all } = state.inbox;
  return read(state, { address, all: !all });
}

function read(state: State, which: Pick<InboxState, "address" | "all">): Step {
  const { own } = state.inbox;
  const inbox: InboxState = { ...which, own, requests: undefined, cursor: 0, error: undefined };
  const next: State = { ...state, inbox };
  return step(next, loadInbox(next));
}

/** Applies the change and keeps the cursor on its request. */
export function withInbox(state: State, change: Partial<InboxState>): State {
  const before = requestUnderCursor(state);
  const inbox = { ...state.inbox, ...change };
  const isSame = ({ ref, to }: InboxItem): boolean => ref === before?.ref && to === before.to;
  const cursor = rowToKeep(inbox.requests ?? [], inbox.cursor, isSame);
  return { ...state, inbox: { ...inbox, cursor } };
}

export function markRequest(state: State): State | undefined {
  const uid = requestIssue(state);
  return uid === undefined ? undefined : { ...state, marks: toggleInSet(state.marks, uid) };
}

/** The uid of a request's issue, if it is known. */
export function issueUidOf(state: State, item: InboxItem): string | undefined {
  return item.issue_uid ?? issueOfRequest(state, item)?.uid;
}

export function isMarked(state: State, item: InboxItem): boolean {
  const uid = issueUidOf(state, item);
  return uid !== undefined && state.marks.has(uid);
}

/**
 * The writes that clear the requests of the marked issues or, if there are none, the request under the cursor. If a
 * newer request has replaced such a request, the newer request is not cleared.
 */
export function clearRequests(state: State): readonly Write[] {
  const { requests = [], cursor } = state.inbox;
  const marked = requests.filter((item) => isMarked(state, item));
  const items = marked.length > 0 ? marked : requests.slice(cursor, cursor + 1);
  return items.flatMap((item) => clearRequest(state, item) ?? []);
}

export function clearRequest(state: State, item: InboxItem): Write | undefined {
  const { to, ref, event_uid } = item;
  const [project = "", short = ""] = ref.split("#");
  const project_id =
    item.project_id ?? state.scope.projects.find(({ name }) => name === project)?.id;
  if (project_id === undefined) return undefined;
  const uid = issueUidOf(state, item) ?? ref;
  const at = { uid, project_id, ref: item.issue_uid ?? short, name: ref };
  const unreadable = item.fault === undefined ? {} : { unreadable: true };
  return { act: "clear", at, to, event_uid, ...unreadable };
}

export function whyNoRequest(state: State): string | undefined {
  return requestUnderCursor(state) === undefined ? "there is no request" : undefined;
}

/** Events that can change an inbox: requests are metadata of issues, and only the requests of open issues count. */
const INBOX_KINDS: ReadonlySet<string> = new Set([
  "issue.created",
  "issue.metadata_updated",
  "issue.closed",
  "issue.reopened",
  "issue.soft_deleted",
  "issue.restored",
  "issue.moved",
]);

export function touchesInbox({ kind }: LiveEvent): boolean {
  return INBOX_KINDS.has(kind) || kind.startsWith("project.");
}
