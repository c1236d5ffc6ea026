import { isPlainObject, type JsonObject } from "../base/json.ts";
import { type InboxRequest, readSlot } from "../domain/inbox/request.ts";
import { addressOf, slotOf } from "../domain/inbox/slot.ts";

export interface IssueRequest extends InboxRequest {
  readonly to: string;
}

/** Splits the metadata of an issue into its attention requests and the rest. */
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
 * Returns the metadata patch that moves an attention request from the shared address to the agent's own address.
 * Returns `undefined` if the shared address has no request, or if the agent's address already has one. A request that
 * the agent already has is never replaced.
 */
export function takePatch(
  metadata: JsonObject,
  { shared, own }: { readonly shared: string; readonly own: string },
): JsonObject | undefined {
  const value = metadata[slotOf(shared)];
  if (!isPlainObject(value) || slotOf(own) in metadata) return undefined;
  // Without `taken_from` the request could look like one that the daemon made because of a planning date, and the
  // daemon withdraws such requests from everybody except the owner.
  return { [slotOf(shared)]: null, [slotOf(own)]: { ...value, taken_from: shared } };
}
