import type { listIssueEvents } from "../../contract/activity.ts";
import type { Output } from "../../contract/route.ts";
import { agentOutput, header, row } from "../../shared/agent.ts";
import { describeEvent } from "../../shared/event-text.ts";
import { oneLine } from "../../shared/text.ts";
import type { View } from "../output.ts";
import { shortTime } from "./show.ts";

export const logView: View<Output<typeof listIssueEvents>> = {
  human: ({ events }, { paint, quiet }) => {
    if (quiet) return events.map(({ event_id }) => String(event_id)).join("\n");
    if (events.length === 0) return "No events.";
    return events
      .map((event) => {
        const when = paint("faint", shortTime(event.created_at));
        return `${when}  ${oneLine(event.actor)}  ${oneLine(describeEvent(event))}`;
      })
      .join("\n");
  },
  agent: ({ events, next_after_id: next }, quiet) => {
    const rows = events.map(({ event_id, type, actor, created_at, ...event }) =>
      row({
        id: event_id,
        type,
        actor,
        at: created_at,
        text: oneLine(describeEvent({ type, ...event })),
      }),
    );
    return agentOutput(header("log", { count: events.length, next }), rows, quiet);
  },
};
