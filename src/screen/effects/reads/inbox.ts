import type { Transport } from "../../../shared/transport.ts";
import type { EffectOf } from "../../effect.ts";
import type { InboxItem } from "../../inbox/state.ts";
import type { MessageOf } from "../../message.ts";
import { textOf } from "../failures.ts";

/** Reads the requests to these addresses in all projects, the oldest first, as `svc inbox` lists them. */
export async function readInbox(
  daemon: Transport,
  { addresses, all }: EffectOf<"load-inbox">,
): Promise<MessageOf<"inbox">> {
  const about = { type: "inbox", address: addresses[0] ?? "", all } as const;
  try {
    const found = await Promise.all(addresses.map(async (to) => await requestsTo(daemon, to)));
    const requests = found.flat().sort((a, b) => oldest(a, b) || (a.ref < b.ref ? -1 : 1));
    return { ...about, inbox: { requests, error: undefined } };
  } catch (error) {
    return { ...about, inbox: { error: textOf(error) } };
  }
}

async function requestsTo(daemon: Transport, to: string): Promise<readonly InboxItem[]> {
  const { requests, skipped } = await daemon.call("listInboxGlobal", { query: { for: to } });
  const read = requests.map((request): InboxItem => {
    const { ref, issue_uid, project_id, title, from, teammate, message } = request;
    const { event_uid, requested_at } = request;
    const whole = { event_uid, requested_at, teammate };
    return { to, ref, issue_uid, project_id, title, from, message, ...whole };
  });
  // A request that can be read only in part is in both `requests` and `skipped`, but is shown once.
  const names = new Set(requests.map(({ ref }) => ref));
  const unreadable = skipped.filter(({ ref }) => !names.has(ref));
  return [...read, ...unreadable.map(({ ref, reason }): InboxItem => ({ to, ref, fault: reason }))];
}

/** Orders requests by their time. Unreadable requests have no time and come last. */
function oldest(a: InboxItem, b: InboxItem): number {
  const [left = LAST, right = LAST] = [a.requested_at, b.requested_at];
  if (left === right) return 0;
  return left < right ? -1 : 1;
}

/** Used in place of a missing time. It is greater than every instant. */
const LAST = "~";
