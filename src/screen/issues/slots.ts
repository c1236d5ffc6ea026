import type { JsonValue } from "../../base/json.ts";
import { type InboxRequest, readSlot } from "../../domain/inbox/request.ts";
import { addressOf } from "../../domain/inbox/slot.ts";

/** The requests in an issue's metadata, each with its address. An unreadable request has no `request`. */
export function slotsIn(
  metadata: Readonly<Record<string, unknown>>,
): readonly { readonly to: string; readonly request: InboxRequest | undefined }[] {
  return Object.entries(metadata).flatMap(([key, value]) => {
    const to = addressOf(key);
    // The cast is safe: the answer was JSON.
    const { request } = readSlot(value as JsonValue);
    return to === undefined || value === null ? [] : [{ to, request }];
  });
}
