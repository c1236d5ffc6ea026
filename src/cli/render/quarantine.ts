import { counted } from "../../base/counted.ts";
import { shellWord } from "../../base/shell-word.ts";
import type {
  listFederationQuarantine,
  retryFederationQuarantine,
  showFederationQuarantine,
  skipFederationQuarantine,
} from "../../contract/federation-quarantine.ts";
import type { Output } from "../../contract/route.ts";
import { retryConfirmation, skipConfirmation } from "../../domain/confirm.ts";
import { adoptionHint } from "../../domain/federation/adoption.ts";
import { agentOutput, header, line, row } from "../../shared/agent.ts";
import { oneLine } from "../../shared/text.ts";
import { WHAT_SKIP_DOES } from "../input/quarantine.ts";
import type { View } from "../output/output.ts";
import { shortTime } from "./show.ts";
import { aligned } from "./table.ts";

type Batch = Output<typeof listFederationQuarantine>["quarantines"][number];
type Event = Output<typeof showFederationQuarantine>["events"][number];

export const quarantineListView: View<Output<typeof listFederationQuarantine>> = {
  human: ({ quarantines }, { quiet }) => {
    if (quiet) return quarantines.map(({ id }) => id).join("\n");
    if (quarantines.length === 0) return "No batch waits for a decision.";
    return aligned([HEADINGS, ...quarantines.map(cells)], (column) => column < 2)
      .map((text) => text.trimEnd())
      .join("\n");
  },
  agent: ({ quarantines, truncated }, quiet) => {
    const rows = quarantines.map((batch) => row(fieldsOf(batch)));
    const head = header("federation_quarantine", { count: quarantines.length, truncated });
    return agentOutput(head, rows, quiet);
  },
};

const HEADINGS = ["ID", "EVENTS", "ERROR", "SINCE", "DECIDED", "THE HUB SAID"];

function cells(batch: Batch): readonly string[] {
  const { id, event_uids, error, created_at, detail = "-" } = batch;
  return [
    ...[String(id), String(event_uids.length), oneLine(error), shortTime(created_at)],
    ...[decisionOf(batch), oneLine(detail)],
  ];
}

function decisionOf({ resolution, resolved_at, resolved_by }: Batch): string {
  if (resolution === undefined) return "-";
  const by = resolved_by === undefined ? "" : ` by ${oneLine(resolved_by)}`;
  const at = resolved_at === undefined ? "" : ` ${shortTime(resolved_at)}`;
  return `${resolution}${by}${at}`;
}

function fieldsOf(batch: Batch) {
  return {
    id: batch.id,
    direction: batch.direction,
    first: batch.first_event_id,
    last: batch.last_event_id,
    events: batch.event_uids.length,
    error: batch.error,
    since: batch.created_at,
    decided: batch.resolution,
    at: batch.resolved_at,
    by: batch.resolved_by,
    reason: batch.reason,
    said: batch.detail,
  };
}

/** `project` is the project that the command line names; `undefined` if the folder selects the project. */
export const quarantineView = (
  project?: string,
): View<Output<typeof showFederationQuarantine>> => ({
  human: ({ quarantine, events }, { quiet }) => {
    if (quiet) return [...issuesOf(events)].join("\n");
    const { event_uids, error, created_at, detail, reason } = quarantine;
    const batch = `batch ${quarantine.id}: the hub refused ${counted(event_uids.length, "event")}`;
    const missing = event_uids.length - events.length;
    return [
      `${batch} (${oneLine(error)}), ${shortTime(created_at)}`,
      ...(detail === undefined ? [] : [`the hub said: ${oneLine(detail)}`]),
      ...eventTable(events),
      ...(missing === 0 ? [] : [`${counted(missing, "event")} of it are no longer in the log`]),
      ...(quarantine.resolution === undefined
        ? choices(quarantine, project)
        : [decisionOf(quarantine)]),
      ...(reason === undefined ? [] : [`reason: ${oneLine(reason)}`]),
    ].join("\n");
  },
  agent: ({ quarantine, events }, quiet) => {
    const rows = events.map((event) =>
      row({
        id: event.event_id,
        type: event.type,
        issue: event.issue_short_id,
        uid: event.event_uid,
        at: event.created_at,
        skipped: event.skipped_at,
      }),
    );
    const lines = quarantine.resolution === undefined ? agentChoices(quarantine) : [];
    const head = header("federation_quarantine", fieldsOf(quarantine));
    return agentOutput(head, [...rows, ...lines], quiet);
  },
});

function agentChoices({ id, hands_over }: Batch): readonly string[] {
  if (hands_over !== true) return line("Skip", WHAT_SKIP_DOES);
  return line("Cure", adoptionHint(`svc federation quarantine retry ${id}`));
}

function eventTable(events: readonly Event[]): readonly string[] {
  const lines = events.map(({ event_id, type, issue_short_id, event_uid, skipped_at }) => [
    ...[`  ${event_id}`, oneLine(type), issue_short_id ?? "-", event_uid],
    skipped_at === undefined ? "" : "skipped",
  ]);
  return aligned(lines, (column) => column === 0).map((text) => text.trimEnd());
}

function issuesOf(events: readonly Event[]): ReadonlySet<string> {
  return new Set(events.flatMap(({ issue_short_id }) => issue_short_id ?? []));
}

/** The lines that say what a person can do about a batch that waits for a decision. */
function choices({ id, direction, hands_over }: Batch, project?: string): readonly string[] {
  const where = project === undefined ? "" : ` --project ${shellWord(project)}`;
  const command = (verb: string, text: string): string =>
    `  svc federation quarantine ${verb} ${id}${where} --confirm ${shellWord(text)}`;
  const retry = command("retry", retryConfirmation(id));
  if (hands_over === true)
    return [
      "It hands the project over, so it cannot be given up: the issues would be gone here too.",
      `${adoptionHint("send it again")}:`,
      retry,
    ];
  return [
    "Until somebody decides, nothing is sent to the hub or read from it.",
    ...(direction === "pull" ? [] : ["To send it again, once the hub can accept it:", retry]),
    "To give it up:",
    command("skip", skipConfirmation(id)),
    WHAT_SKIP_DOES,
  ];
}

export const quarantineRetriedView: View<Output<typeof retryFederationQuarantine>> = {
  human: ({ id, event_uids }, { quiet }) =>
    quiet ? "" : `batch ${id} is sent again (${counted(event_uids.length, "event")})`,
  agent: (batch, quiet) =>
    agentOutput(header("federation_quarantine_retry", fieldsOf(batch)), [], quiet),
};

export const quarantineSkippedView: View<Output<typeof skipFederationQuarantine>> = {
  human: ({ id, skipped_event_count: count }, { quiet }) => {
    if (quiet) return "";
    return `batch ${id} is skipped: ${counted(count, "event")} count no more, and stay in the log`;
  },
  agent: (batch, quiet) => {
    const fields = { ...fieldsOf(batch), skipped: batch.skipped_event_count };
    return agentOutput(header("federation_quarantine_skip", fields), [], quiet);
  },
};
