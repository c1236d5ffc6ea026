import type { pollEvents } from "../../contract/activity.ts";
import type { Output } from "../../contract/route.ts";
import { fieldText, header, row } from "../../shared/agent.ts";
import { oneLine } from "../../shared/text.ts";
import type { LongView, NamedIssue, Rows } from "../output/output.ts";
import { fittingRows } from "./bounded.ts";
import type { Paint } from "./palette.ts";
import { shortTime } from "./show.ts";
import { padEnd, padStart } from "./width.ts";

type ShownEvent = Output<typeof pollEvents>["events"][number];
type EventPage = Pick<
  Output<typeof pollEvents>,
  "reset_required" | "reset_after_id" | "next_after_id"
> & { readonly events: Rows<ShownEvent>; readonly truncated?: boolean | undefined };

export function fittedEvents<P extends EventPage>(page: P, bytes: number, forAgent: boolean): P {
  const lineOf = (event: ShownEvent): string =>
    forAgent ? row(fieldsOf(event)) : eventRow(event, (_tone, text) => text);
  const events = fittingRows(page.events, bytes, lineOf);
  if (events === undefined) return page;
  const last = events.at(-1) ?? events[0];
  return { ...page, events, next_after_id: last.event_id, truncated: true };
}

export const eventsView: LongView<EventPage> = {
  *human(page, { paint }) {
    if (page.reset_required) {
      yield `history before event ${page.reset_after_id} was purged or taken back: read on with --after ${page.reset_after_id}`;
      return;
    }
    if (page.events.length === 0) yield "No events.";
    for (const event of page.events) yield eventRow(event, paint);
  },
  *agent(page, quiet) {
    const { reset_required, reset_after_id, events, next_after_id, truncated } = page;
    const fields = {
      count: events.length,
      next: next_after_id,
      truncated,
      ...(reset_required ? { reset_required, reset_after_id } : {}),
    };
    if (!quiet || events.length > 0) yield header("events", fields);
    for (const event of events) yield row(fieldsOf(event));
  },
  *refs({ events }) {
    for (const event of events) yield* issueOf(event);
  },
};

export function issueOf({
  project_name,
  issue_short_id: short_id,
}: ShownEvent): readonly NamedIssue[] {
  return short_id === undefined ? [] : [{ short_id, qualified_id: `${project_name}#${short_id}` }];
}

export function eventRow(
  { event_id, type, project_name, issue_short_id, actor, created_at, skipped_at }: ShownEvent,
  paint: Paint,
): string {
  return [
    padStart(String(event_id), 6),
    padEnd(oneLine(type), 22),
    `proj=${oneLine(project_name)}`,
    ...(issue_short_id === undefined ? [] : [paint("id", issue_short_id)]),
    `by ${oneLine(actor)}`,
    paint("faint", shortTime(created_at)),
    ...(skipped_at === undefined ? [] : ["skipped"]),
  ].join("  ");
}

function fieldsOf({ event_id, type, issue_short_id, project_name, actor, skipped_at }: ShownEvent) {
  const skipped = skipped_at;
  return { id: event_id, type, issue: issue_short_id, project: project_name, actor, skipped };
}

/** One line per event, for `events --tail --agent`. */
export function agentEvent(event: ShownEvent): string {
  return `OK event ${fieldText(fieldsOf(event))}`;
}
