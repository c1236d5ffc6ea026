import type { Instant } from "../../base/clock.ts";
import { isPlainObject, type JsonValue } from "../../base/json.ts";
import { isAddress } from "../../contract/address.ts";
import { plannedDate, type Zones } from "../planned-date.ts";
import type { IssueRow } from "../state.ts";
import { type SlotWrite, slotChange } from "./request.ts";
import { SLOT_PREFIX, slotOf } from "./slot.ts";

/** In whose name the daemon asks by itself. */
export const SYSTEM = "system";

/** In the order in which they are asked about. */
export const DATE_FIELDS = ["scheduled_on", "deadline_on"] as const;

const WORDS = { scheduled_on: "Scheduled date reached", deadline_on: "Deadline reached" } as const;

/** What the sweeper has to do about an issue (facts cron-and-inbox 10.6). */
export interface DateReview {
  /** Slots that hold a request of ours for what is no longer so: another owner, another date, a date to come. */
  readonly stale: readonly string[];
  /** Where to ask; nowhere while another request waits there, or when nobody can be asked. */
  readonly slot: string | undefined;
  /** What to ask, the first that was not asked before. */
  readonly messages: readonly string[];
  /** When the next date is reached. */
  readonly next: Instant | undefined;
}

type Subject = Pick<IssueRow, "owner" | "author" | "metadata">;

export function reviewDates(issue: Subject, zones: Zones, now: Instant): DateReview {
  const dates = DATE_FIELDS.flatMap((field) => {
    const date = plannedDate(issue, field, zones);
    return date === undefined ? [] : [{ ...date, message: `${WORDS[field]}: ${date.value}` }];
  });
  const messages = dates.filter(({ at }) => at <= now).map(({ message }) => message);
  const next = dates
    .map(({ at }) => at)
    .filter((at) => at > now)
    .sort()[0];
  const recipient = issue.owner ?? issue.author;
  const own = isAddress(recipient) ? slotOf(recipient) : undefined;
  const stale = Object.entries(issue.metadata)
    .filter(([key, value]) => {
      const message = key.startsWith(SLOT_PREFIX) ? automaticMessage(value) : undefined;
      return message !== undefined && !(key === own && messages.includes(message));
    })
    .map(([key]) => key);
  const free = own !== undefined && (!(own in issue.metadata) || stale.includes(own));
  return { stale, slot: free ? own : undefined, messages, next };
}

const AUTOMATIC = new RegExp(`^(?:${Object.values(WORDS).join("|")}): `);

/** The message of a request that the sweeper wrote: exactly its two members, so that no other is taken for one. */
function automaticMessage(value: JsonValue | undefined): string | undefined {
  if (!isPlainObject(value) || Object.keys(value).length !== 2 || value["from"] !== SYSTEM)
    return undefined;
  const { message } = value;
  return typeof message === "string" && AUTOMATIC.test(message) ? message : undefined;
}

/** What was ever asked at a slot, as the log tells it: clearing it settles that date for that recipient, for good. */
export function askedBefore(writes: readonly SlotWrite[], slot: string): ReadonlySet<string> {
  const values = writes.flatMap((write) => {
    const { from, to } = slotChange(write, slot) ?? {};
    return [from, to];
  });
  return new Set(values.flatMap((value) => automaticMessage(value) ?? []));
}

export function automaticRequest(message: string) {
  return { from: SYSTEM, message };
}
