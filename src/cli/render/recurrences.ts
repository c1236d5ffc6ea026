import type {
  listRecurrences,
  patchRecurrence,
  showRecurrence,
} from "../../contract/recurrences.ts";
import type { Output } from "../../contract/route.ts";
import { agentOutput, codeFence, header, line, row } from "../../shared/agent.ts";
import { manyLines, oneLine } from "../../shared/text.ts";
import type { View } from "../output/output.ts";
import { metadataLines } from "./show-parts.ts";

type SeriesAnswer = Output<typeof showRecurrence>;
type Series = SeriesAnswer["recurrence"];

export const recurrenceListView: View<Output<typeof listRecurrences>> = {
  human: ({ recurrences }, { paint, quiet }) => {
    if (quiet) return recurrences.map(({ uid }) => uid).join("\n");
    if (recurrences.length === 0) return "no series";
    return recurrences
      .map((series) => {
        const { uid, rrule, template_title } = series;
        return `${paint("id", uid)}  ${nextOf(series)}  ${oneLine(template_title)}  ${paint("faint", oneLine(rrule))}`;
      })
      .join("\n");
  },
  agent: ({ recurrences }, quiet) =>
    agentOutput(
      header("recurrences", { count: recurrences.length }),
      recurrences.map(({ uid, rrule, template_title: title, next_occurrence_key }) =>
        row({ uid, next: next_occurrence_key ?? "none", rrule, title }),
      ),
      quiet,
    ),
};

export const recurrenceView: View<SeriesAnswer> = {
  human: ({ recurrence }, { paint, quiet }) => {
    if (quiet) return recurrence.uid;
    const { uid, template_title, rrule, dtstart, timezone, revision } = recurrence;
    const body = manyLines(recurrence.template_body).trimEnd();
    const facts = [
      `owner ${oneLine(recurrence.template_owner ?? "nobody")}`,
      ...(recurrence.template_priority === undefined
        ? []
        : [`priority P${recurrence.template_priority}`]),
      ...(recurrence.template_labels.length === 0
        ? []
        : [`labels ${recurrence.template_labels.map(oneLine).join(", ")}`]),
      `rev-${revision}`,
    ];
    return [
      `${paint("id", uid)}  ${paint("strong", oneLine(template_title))}`,
      `${oneLine(rrule)} from ${dtstart} in ${oneLine(timezone)}; next: ${nextOf(recurrence)}`,
      ...skipsIn(recurrence),
      paint("faint", facts.join("  ")),
      ...(body === "" ? [] : ["", body]),
      ...metadataLines(recurrence.template_metadata).map(([key, value]) => `${key} = ${value}`),
    ].join("\n");
  },
  agent: ({ recurrence }, quiet) =>
    agentOutput(header("recurrence", { uid: recurrence.uid }), agentLines(recurrence), quiet),
};

/** `first` is the first issue of the series. */
export function recurrenceCreatedView(first: string): View<SeriesAnswer> {
  return {
    human: ({ recurrence }, { paint, quiet }) => {
      if (quiet) return recurrence.uid;
      const { uid, template_title } = recurrence;
      const created = `${paint("id", uid)} ${oneLine(template_title)} begins with ${paint("id", oneLine(first))}; next: ${nextOf(recurrence)}`;
      return [created, ...skipsIn(recurrence)].join("\n");
    },
    agent: ({ recurrence }, quiet) =>
      agentOutput(
        header("recurrence created", { uid: recurrence.uid, issue: first }),
        agentLines(recurrence),
        quiet,
      ),
  };
}

export const recurrenceUpdatedView: View<Output<typeof patchRecurrence>> = {
  human: ({ recurrence, changed }, { paint, quiet }) => {
    if (quiet) return recurrence.uid;
    const what = changed ? `rev-${recurrence.revision}` : "(no changes applied)";
    const done = `${paint("id", recurrence.uid)} ${oneLine(recurrence.template_title)} ${what}; next: ${nextOf(recurrence)}`;
    return [done, ...skipsIn(recurrence)].join("\n");
  },
  agent: ({ recurrence, changed }, quiet) =>
    agentOutput(
      header("recurrence update", { uid: recurrence.uid, changed }),
      agentLines(recurrence),
      quiet,
    ),
};

export const recurrenceDeletedView: View<{ readonly uid: string; readonly deleted: boolean }> = {
  human: ({ uid }, { paint, quiet }) => (quiet ? "" : `${paint("id", oneLine(uid))} ended`),
  agent: ({ uid }) => header("recurrence delete", { uid }),
};

function nextOf({ next_occurrence_key }: Pick<Series, "next_occurrence_key">): string {
  return next_occurrence_key ?? "none";
}

/**
 * The line that says which months or years a rule skips. For example, a monthly rule for the 31st skips the shorter
 * months.
 */
function skipsIn({ skips }: Pick<Series, "skips">): readonly string[] {
  return skips === undefined ? [] : [`skips ${oneLine(skips)}`];
}

function agentLines(series: Series): readonly string[] {
  return [
    ...line("Rule", series.rrule),
    ...line("From", series.dtstart),
    ...line("Timezone", series.timezone),
    ...line("Next", nextOf(series)),
    ...line("Skips", series.skips),
    ...line("Title", series.template_title),
    ...line("Owner", series.template_owner),
    ...line("Priority", series.template_priority),
    ...(series.template_labels.length === 0 ? [] : line("Labels", series.template_labels)),
    ...metadataLines(series.template_metadata).map(([key, value]) => `Metadata: ${key}=${value}`),
    ...(series.template_body === "" ? [] : ["Body:", ...codeFence(series.template_body)]),
    ...line("Revision", series.revision),
  ];
}
