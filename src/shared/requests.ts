import { isPlainObject, type JsonObject } from "../base/json.ts";
import { type InboxRequest, readSlot } from "../domain/inbox/request.ts";
import { addressOf, slotOf } from "../domain/inbox/slot.ts";

/** A request for attention, and whom it is put to. */
export interface IssueRequest extends InboxRequest {
  readonly to: string;
}

/** The requests among the metadata of an issue, by address, and what else there is. */
export function requestsIn(metadata: JsonObject): {
  readonly requests: readonly IssueRequest[];
  readonly rest: JsonObject;
} {
  const requests: IssueRequest[] = [];
  const rest: JsonObject = {};
  for (const [key, value] of Object.entries(metadata)) {
    const to = addressOf(key);
    const { request } = to === undefined ? {} : readSlot(value);
    if (to === undefined || request === undefined) Object.assign(rest, { [key]: value });
    else requests.push({ to, ...request });
  }
  return { requests: requests.sort((a, b) => (a.to < b.to ? -1 : 1)), rest };
}

/**
 * The change of metadata that moves a request from a shared address to a worker's own. Nothing where there is none to
 * move, or where the worker was asked about the same issue itself: that request comes first and is not replaced.
 */
export function takePatch(
  metadata: JsonObject,
  { shared, own }: { readonly shared: string; readonly own: string },
): JsonObject | undefined {
  const value = metadata[slotOf(shared)];
  if (!isPlainObject(value) || slotOf(own) in metadata) return undefined;
  // A member more than the daemon's own requests have: these it would take back from any address but the owner's.
  return { [slotOf(shared)]: null, [slotOf(own)]: { ...value, taken_from: shared } };
}
