import { counted } from "../../base/counted.ts";
import type { verifyFederationReplica } from "../../contract/federation-verify.ts";
import type { Output } from "../../contract/route.ts";
import { agentOutput, header, line, row } from "../../shared/agent.ts";
import { oneLine } from "../../shared/text.ts";
import type { View } from "../output/output.ts";

type Verified = Output<typeof verifyFederationReplica>;
type Rows = NonNullable<Verified["rows"]>;
type Difference = NonNullable<Verified["first_difference"]>;

export const verifiedView: View<Verified> = {
  human: (found, { quiet }) => {
    if (quiet)
      return differentRows(found.rows)
        .map(({ uid }) => uid)
        .join("\n");
    return [
      `${oneLine(found.project.name)}: ${eventsText(found)}`,
      ...(found.first_difference === undefined ? [] : [differenceText(found.first_difference)]),
      ...(found.rows === undefined ? [] : rowsText(found.rows)),
    ].join("\n");
  },
  agent: (found, quiet) => {
    const { project, state, reason, through, event_count, hub_event_count, rows } = found;
    const head = header("federation_verify", {
      ...{ project: project.name, state, reason, through },
      ...{ events: event_count, hub_events: hub_event_count, rows: rows?.state },
    });
    const { first_difference: first } = found;
    const lines = [
      ...(first === undefined ? [] : line("First-Difference", differenceText(first))),
      ...(rows === undefined ? [] : line("Rows", rowsText(rows)[0] ?? "")),
      ...differentRows(rows).map(({ row: of, uid, kind }) => row({ [of]: uid, kind })),
    ];
    return agentOutput(head, lines, quiet);
  },
};

const REASONS: Readonly<Record<NonNullable<Verified["reason"]>, string>> = {
  hub_too_old: "the hub is older and gives no sums",
  hub_log_changed: "the hub's log is another one, so the copy begins anew with its next pass",
  reset_required: "the hub purged something, so the copy begins anew with its next pass",
  horizon_moved: "the hub has a new baseline, so the copy begins anew with its next pass",
  not_read_yet: "the copy has not been read yet",
};

function eventsText(found: Verified): string {
  const { state, reason, through, event_count, hub_event_count = 0 } = found;
  if (state === "unknown")
    return `unknown whether it has what its hub has: ${REASONS[reason ?? "hub_too_old"]}`;
  const events = counted(event_count, "event");
  if (state === "equal") return `the same ${events} as the hub has, up to event ${through}`;
  return `${events} here and ${hub_event_count} on the hub, up to event ${through}; they differ`;
}

const KINDS: Readonly<Record<Difference["kind"], string>> = {
  missing_here: "is on the hub alone",
  missing_there: "is here alone",
  other_content: "is another one here",
};

function differenceText({ kind, event_id, event_uid, type, issue_uid }: Difference): string {
  const what = type === undefined ? "" : ` (${oneLine(type)})`;
  const about = issue_uid === undefined ? "" : `, of issue ${oneLine(issue_uid)},`;
  return `first difference: event ${event_id} of the hub, ${oneLine(event_uid)}${what}${about} ${KINDS[kind]}`;
}

const CAUSES: Readonly<Record<NonNullable<Rows["cause"]>, string>> = {
  events_differ: "the events differ too",
  older_fold_here: "this daemon makes rows by older rules than the hub: upgrade it",
  older_fold_there: "the hub makes rows by older rules than this daemon: upgrade it",
  faulty_fold: "the events are the same, so one of the daemons has wrong rows: svc doctor on both",
};

function rowsText(rows: Rows): string[] {
  const { state, compared, left_out, different, others, cause } = rows;
  if (state === "unknown")
    return ["rows: unknown, since too many changes are under way; try again later"];
  const left = left_out + (others?.left_out ?? 0);
  const rest = left === 0 ? "" : `; ${left} left out, since changes are under way`;
  const what = [
    counted(compared, "issue"),
    ...(others === undefined ? [] : [counted(others.compared, "other row")]),
  ].join(" and ");
  if (state === "equal") return [`rows: the same for ${what}${rest}`];
  if (state === "partial") return [`rows: the same for ${what}${rest}; ${PARTIAL}`];
  const why = cause === undefined ? "" : `: ${CAUSES[cause]}`;
  const shown = differentRows(rows).map(
    ({ row: of, uid, kind }) => `  ${of} ${oneLine(uid)} ${ROW_KINDS[kind]}`,
  );
  const total = different + (others?.different ?? 0);
  const note = others === undefined ? `; ${PARTIAL}` : "";
  return [`rows: ${total} of ${what} differ${rest}${why}${note}`, ...shown];
}

/** The remark about a comparison that covers only issues. */
const PARTIAL =
  "partial: the hub is older and says nothing of the project, its workflows, jobs and runs";

function differentRows({ issues, others }: Partial<Pick<Rows, "issues" | "others">> = {}) {
  return [
    ...(issues ?? []).map(({ issue_uid: uid, kind }) => ({ row: "issue", uid, kind })),
    ...(others?.rows ?? []),
  ];
}

const ROW_KINDS: Readonly<Record<Rows["issues"][number]["kind"], string>> = {
  missing_here: "is missing here",
  missing_there: "is missing on the hub",
  other_rows: "has other rows",
};
