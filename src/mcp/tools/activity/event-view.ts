import { z } from "zod";
import { jsonBytes } from "../../../base/json-bytes.ts";
import type { pollEvents } from "../../../contract/activity.ts";
import type { Output } from "../../../contract/route.ts";
import { shortened } from "../../views.ts";
import { type Insight, redacted, uidsIn } from "./redaction.ts";

export type EventRow = Output<typeof pollEvents>["events"][number];

/** An event of the log (docs/contract/tools.md#7-shared-objects). */
export const StreamEvent = z.strictObject({
  event_id: z.int(),
  event_uid: z.string(),
  type: z.string(),
  actor: z.string(),
  created_at: z.string(),
  project_id: z.int(),
  project_uid: z.string(),
  project_name: z.string(),
  issue_uid: z.string().optional(),
  issue_short_id: z.string().optional(),
  related_issue_uid: z.string().optional(),
  related_issue_short_id: z.string().optional(),
  skipped_at: z.string().optional(),
  payload: z.record(z.string(), z.unknown()).optional(),
  payload_truncated: z.boolean().optional(),
});

/** At most this many bytes of a payload are shown. `svc.show` shows the issue, and `svc log` the whole event. */
const PAYLOAD_BYTES = 400;
const TEXT_BYTES = 160;

/** Members of a payload that readers of events do not need. */
const INTERNAL = new Set(["idempotency_key", "idempotency_fingerprint", "updated_at"]);

/**
 * Returns an event in the form for clients. A server that reaches only some projects leaves out the names of issues
 * that are out of reach, and the whole payload of an event of an unknown kind (docs/contract/tools.md#92-events).
 */
export function eventView(row: EventRow, insight: Insight | undefined) {
  const { event_id, event_uid, type, actor, created_at, project_id, project_uid } = row;
  const { project_name, issue_uid, issue_short_id } = row;
  const isRelatedShown =
    row.related_issue_uid !== undefined && (insight?.uids.has(row.related_issue_uid) ?? true);
  const { payload, isCut } = payloadWithin(seenPayload(row, insight));
  return {
    event_id,
    event_uid,
    type,
    actor,
    created_at,
    project_id,
    project_uid,
    project_name,
    ...(issue_uid === undefined ? {} : { issue_uid }),
    ...(issue_short_id === undefined ? {} : { issue_short_id }),
    ...(isRelatedShown
      ? {
          related_issue_uid: row.related_issue_uid,
          related_issue_short_id: row.related_issue_short_id,
        }
      : {}),
    ...(row.skipped_at === undefined ? {} : { skipped_at: row.skipped_at }),
    ...(Object.keys(payload).length === 0 ? {} : { payload }),
    ...(isCut ? { payload_truncated: true } : {}),
  };
}

type Payload = Readonly<Record<string, unknown>>;

function seenPayload({ type, payload }: EventRow, insight: Insight | undefined): Payload {
  const shown = withoutMembers(payload as Payload, INTERNAL);
  if (insight === undefined) return shown;
  return insight.kinds.has(type) ? redacted(type, shown, insight) : {};
}

/** Returns all uids that the payloads of the events contain, and the uids of their related issues. */
export function namedUids(rows: readonly EventRow[]): ReadonlySet<string> {
  const texts = rows.map(({ payload, related_issue_uid }) => [payload, related_issue_uid]);
  return new Set(uidsIn(JSON.stringify(texts)));
}

function withoutMembers(payload: Payload, members: ReadonlySet<string>): Payload {
  return Object.fromEntries(Object.entries(payload).filter(([name]) => !members.has(name)));
}

/** Returns the members that fit into `PAYLOAD_BYTES`; long texts are cut. */
function payloadWithin(payload: Payload): { readonly payload: Payload; readonly isCut: boolean } {
  let left = PAYLOAD_BYTES;
  let isCut = false;
  const kept = Object.entries(payload).flatMap(([name, value]) => {
    const shown = typeof value === "string" ? shortened(value, TEXT_BYTES) : value;
    const size = jsonBytes({ [name]: shown });
    isCut ||= shown !== value || size > left;
    if (size > left) return [];
    left -= size;
    return [[name, shown]];
  });
  return { payload: Object.fromEntries(kept) as Payload, isCut };
}
