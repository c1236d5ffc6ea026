import type { listIssueEvents } from "../../contract/activity.ts";
import type { Output } from "../../contract/route.ts";
import type { Now } from "../../domain/said-dates.ts";
import { agentOutput, header, row } from "../../shared/agent.ts";
import { describeEvent } from "../../shared/event-text.ts";
import { oneLine } from "../../shared/text.ts";
import type { View } from "../output/output.ts";
import { fittingRows, rowText } from "./bounded.ts";
import { lostText } from "./overwritten.ts";
import type { Paint } from "./palette.ts";
import { shortTime } from "./show.ts";

type Log = Output<typeof listIssueEvents>;
type LogEvent = Log["events"][number];

/**
 * The events of a page in the order of their clocks. The API returns them in the order in which they arrived here:
 * after a resync, the events that this daemon kept come before those that the hub sent again.
 */
function byClock(events: Log["events"]): Log["events"] {
  return events.toSorted(
    (a, b) => a.hlc_physical_ms - b.hlc_physical_ms || a.hlc_counter - b.hlc_counter,
  );
}

export function logView(ref: string, now: Now): View<Log> {
  return {
    human: ({ events }, { paint }) => {
      if (events.length === 0) return "No events.";
      return byClock(events)
        .map((event) => humanRow(event, now, paint))
        .join("\n");
    },
    agent: ({ events, next_after_id: next, truncated }, quiet) => {
      const head = header("log", { count: events.length, next, truncated });
      return agentOutput(head, byClock(events).map(agentRow), quiet);
    },
    refs: () => [ref],
  };
}

export function fittedLog(log: Log, bytes: number, forAgent: boolean, now: Now): Log {
  const plain: Paint = (_tone, text) => text;
  const lineOf = forAgent ? agentRow : (event: LogEvent) => humanRow(event, now, plain);
  const events = fittingRows(log.events, bytes, lineOf);
  if (events === undefined) return log;
  const last = events.at(-1) ?? events[0];
  return { ...log, events: [...events], next_after_id: last.event_id, truncated: true };
}

function humanRow(event: LogEvent, now: Now, paint: Paint): string {
  const when = paint("faint", shortTime(event.created_at));
  return `${when}  ${oneLine(event.actor)}  ${rowText(describeEvent(event))}${lostText(event, now)}`;
}

function agentRow({ event_id, type, actor, created_at, skipped_at, ...event }: LogEvent): string {
  const text = rowText(describeEvent({ type, ...event }));
  const by = event.overwritten_by;
  const lost = { overwritten_by: by?.actor, overwritten_at: by?.at };
  return row({ id: event_id, type, actor, at: created_at, skipped: skipped_at, ...lost, text });
}
