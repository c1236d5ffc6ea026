import { isPlainObject, type JsonObject, type JsonValue } from "../../base/json.ts";
import { invalid, SvcError } from "../../contract/errors.ts";
import type { EventDraft, StoredEvent } from "../../contract/events.ts";
import { MAX_TEAMMATE_CHARACTERS } from "../../contract/limits.ts";
import type { Act } from "../drafts/draft.ts";
import { issueMetadataUpdated } from "../drafts/issues.ts";
import { decideMetadata } from "../issues.ts";
import type { IssueRow } from "../state.ts";
import { addressOf, slotOf } from "./slot.ts";

/**
 * A request in a slot (docs/contract/cron-and-inbox.md#101-addresses-and-slots). Other members of the slot's value are
 * ignored.
 */
export interface InboxRequest {
  readonly from: string;
  readonly message: string;
  readonly teammate?: string;
}

/** The value of a slot as read. It may have a fault, since any client can write metadata. */
export interface ReadSlot {
  readonly request?: InboxRequest;
  readonly fault?: string;
}

const TEAMMATE = new RegExp(`^[\\x21-\\x7e]{1,${MAX_TEAMMATE_CHARACTERS}}$`);

export function readSlot(value: JsonValue): ReadSlot {
  if (!isPlainObject(value)) return { fault: "is no object" };
  const { from, message, teammate } = value;
  if (typeof from !== "string") return { fault: "has no text in from" };
  if (typeof message !== "string") return { fault: "has no text in message" };
  if (teammate === undefined || teammate === null) return { request: { from, message } };
  if (typeof teammate === "string" && TEAMMATE.test(teammate))
    return { request: { from, message, teammate } };
  return { request: { from, message }, fault: "names a teammate that is none" };
}

export type SlotWrite = StoredEvent<"issue.created" | "issue.metadata_updated">;

/** The old and new value of a key in an event; `undefined` if the event did not change the key. */
export function slotChange(
  event: SlotWrite,
  key: string,
): { readonly from?: JsonValue | undefined; readonly to?: JsonValue | undefined } | undefined {
  if (event.type === "issue.created") {
    const to = own(event.payload.metadata, key);
    return to === undefined ? undefined : { to };
  }
  return own(event.payload.diff, key);
}

/** Whether the event puts the request `wanted` into any slot of its issue. */
export function makesRequest(event: SlotWrite, wanted: InboxRequest): boolean {
  const written =
    event.type === "issue.created"
      ? Object.entries(event.payload.metadata)
      : Object.entries(event.payload.diff).map(([key, { to }]) => [key, to ?? null] as const);
  return written.some(([key, value]) => {
    const { request } = addressOf(key) === undefined ? {} : readSlot(value);
    return (
      request?.from === wanted.from &&
      request.message === wanted.message &&
      request.teammate === wanted.teammate
    );
  });
}

function own<T>(record: Readonly<Record<string, T>>, key: string): T | undefined {
  return Object.hasOwn(record, key) ? record[key] : undefined;
}

type RequestEvent = EventDraft<"issue.metadata_updated">;

/**
 * Makes the event that puts a request into the slot of `to`, even if the slot has the same request already. Clients
 * name a request by its event, so a client that clears the earlier request does not clear the new one.
 */
export function decideNotify(
  issue: IssueRow,
  to: string,
  { message, teammate }: { readonly message: string; readonly teammate?: string | undefined },
  act: Act,
): RequestEvent {
  if (issue.status === "closed") {
    throw invalid(
      "the issue is closed: a request would be seen by nobody",
      "reopen it first, or comment on it",
    );
  }
  const key = slotOf(to);
  const value: JsonObject = {
    from: act.actor,
    message,
    ...(teammate === undefined ? {} : { teammate }),
  };
  const before = own(issue.metadata, key);
  const diff = { [key]: before === undefined ? { to: value } : { from: before, to: value } };
  return issueMetadataUpdated(issue, diff, act);
}

/**
 * Removes the request to `to`, if there is one. `written` is the event that made the present `request`. A caller may
 * send `handled`, the event of the request that it has read. Throws if another request has replaced the one that the
 * caller read.
 */
export function decideClear(
  issue: IssueRow,
  to: string,
  {
    handled,
    written,
    request,
  }: {
    readonly handled?: string | undefined;
    readonly written?: string | undefined;
    readonly request?: InboxRequest | undefined;
  },
  act: Act,
): RequestEvent | "unchanged" {
  const key = slotOf(to);
  const current = own(issue.metadata, key);
  if (current === undefined) return "unchanged";
  if (handled !== undefined && handled.toUpperCase() !== written) {
    const { from, message } = request ?? {};
    throw new SvcError("request_replaced", { event_uid: written, from, message });
  }
  return decideMetadata(issue, { [key]: null }, act);
}
