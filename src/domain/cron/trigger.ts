import { parseInstant } from "../../base/clock.ts";
import { MAX_SECONDS } from "../../contract/limits.ts";
import { isIanaZone } from "../dates.ts";
import { cronFault, parseCron } from "./expression.ts";
import { type Fields, present } from "./fields.ts";
import { isUpperUlid } from "./names.ts";

/** When a job is due (docs/contract/cron-and-inbox.md#23-triggers). */
export type Trigger = (
  | { readonly kind: "manual" }
  | { readonly kind: "cron"; readonly cron: string }
  | { readonly kind: "interval"; readonly interval_seconds: number }
  | { readonly kind: "once"; readonly at: string }
  | { readonly kind: "issue-scheduled"; readonly issue_uid: string }
  | { readonly kind: "issue-deadline"; readonly issue_uid: string; readonly lead_seconds?: number }
) & { readonly timezone?: string };

const KINDS = ["manual", "cron", "interval", "once", "issue-scheduled", "issue-deadline"] as const;

/** Members that only one or two kinds of trigger may have. */
const MEMBERS_OF_KINDS = {
  cron: ["cron"],
  interval_seconds: ["interval"],
  at: ["once"],
  issue_uid: ["issue-scheduled", "issue-deadline"],
  lead_seconds: ["issue-deadline"],
} as const satisfies Readonly<Record<string, readonly (typeof KINDS)[number][]>>;

/**
 * Reads a trigger and throws an error about its first fault, in the order of
 * docs/contract/cron-and-inbox.md#23-triggers.
 */
export function readTrigger(fields: Fields): Trigger {
  const kind = fields.oneOf("kind", KINDS);
  const timezone = fields.filledText("timezone");
  if (timezone !== undefined && !isIanaZone(timezone))
    throw fields.invalidField("timezone", "is no IANA time zone");
  for (const [name, kinds] of Object.entries(MEMBERS_OF_KINDS)) {
    if (!kinds.some((one) => one === kind))
      fields.forbid([name], `belongs to a trigger of kind ${kinds.join(" or ")}`);
  }
  const own = readOwn(kind, fields);
  fields.end();
  return present({ kind, timezone, ...own }) as Trigger;
}

function readOwn(kind: Trigger["kind"], fields: Fields): object {
  switch (kind) {
    case "manual":
      return {};
    case "cron": {
      const cron = fields.text("cron");
      if (parseCron(cron) === undefined) throw fields.invalidField("cron", cronFault(cron));
      return { cron };
    }
    case "interval":
      return { interval_seconds: fields.integer("interval_seconds", 1, MAX_SECONDS) };
    case "once": {
      const at = fields.text("at");
      if (parseInstant(at) === undefined) throw fields.invalidField("at", "is no RFC 3339 instant");
      return { at };
    }
    case "issue-scheduled":
      return { issue_uid: readUid(fields, "issue_uid") };
    case "issue-deadline": {
      const lead_seconds = fields.optionalInteger("lead_seconds", 0, MAX_SECONDS);
      return { issue_uid: readUid(fields, "issue_uid"), lead_seconds };
    }
  }
}

export function readUid(fields: Fields, name: string): string {
  const uid = fields.text(name);
  if (!isUpperUlid(uid)) throw fields.invalidField(name, "is no ULID in upper case");
  return uid;
}
