import type { Instant } from "../../base/clock.ts";
import { isPlainObject, type JsonValue } from "../../base/json.ts";
import { isAddress } from "../../contract/address.ts";
import { SYSTEM_ACTOR } from "../../contract/reserved-actors.ts";
import { plannedDate, type Zones } from "../planned-date.ts";
import type { IssueRow } from "../state.ts";
import { type SlotWrite, slotChange } from "./request.ts";
import { SLOT_PREFIX, slotOf } from "./slot.ts";

/**
 * The dates about which the daemon sends requests. If both dates are due, the request about the scheduled date comes
 * first.
 */
export const DATE_FIELDS = ["scheduled_on", "deadline_on"] as const;

const DATE_TEXTS = {
  scheduled_on: "Scheduled date reached",
  deadline_on: "Deadline reached",
} as const;

/** What the date sweeper must do for one issue (docs/contract/cron-and-inbox.md#106-dates-that-are-reached). */
export interface DateReview {
  /**
   * The metadata keys to remove. Each holds an automatic request that is out of date, because the issue has another
   * owner now, or because the date was changed or removed.
   */
  readonly stale: readonly string[];
  /**
   * The metadata key for a new request to the owner, or to the author if nobody owns the issue. `undefined` if another
   * request is there, or if that person's name is no valid address.
   */
  readonly slot: string | undefined;
  /** The messages about dates that are due. The sweeper sends the first one that it never sent before. */
  readonly messages: readonly string[];
  readonly next: Instant | undefined;
}

type Subject = Pick<IssueRow, "owner" | "author" | "metadata">;

export function reviewDates(issue: Subject, zones: Zones, now: Instant): DateReview {
  const dates = DATE_FIELDS.flatMap((field) => {
    const date = plannedDate(issue, field, zones);
    return date === undefined ? [] : [{ ...date, message: `${DATE_TEXTS[field]}: ${date.value}` }];
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

const AUTOMATIC_MESSAGE = new RegExp(`^(?:${Object.values(DATE_TEXTS).join("|")}): `);

/**
 * The message of a request that the sweeper made; `undefined` for any other value. Such a request has exactly two
 * members.
 */
function automaticMessage(value: JsonValue | undefined): string | undefined {
  if (!isPlainObject(value) || Object.keys(value).length !== 2 || value["from"] !== SYSTEM_ACTOR)
    return undefined;
  const { message } = value;
  return typeof message === "string" && AUTOMATIC_MESSAGE.test(message) ? message : undefined;
}

/**
 * All automatic messages that events of the issue ever wrote under this metadata key. None of them is sent again, so a
 * person who clears a request about a date is never asked about the same date again.
 */
export function askedBefore(writes: readonly SlotWrite[], slot: string): ReadonlySet<string> {
  const values = writes.flatMap((write) => {
    const { from, to } = slotChange(write, slot) ?? {};
    return [from, to];
  });
  return new Set(values.flatMap((value) => automaticMessage(value) ?? []));
}

export function automaticRequest(message: string) {
  return { from: SYSTEM_ACTOR, message };
}
