import { instantToMs } from "../../base/clock.ts";
import type {
  previewCronJob,
  showCronJobLedger,
  sweepCronJob,
} from "../../contract/cron-ledger.ts";
import type { Output } from "../../contract/route.ts";
import { stoppedText } from "../../domain/cron/stopped-text.ts";
import { wallDay } from "../../domain/dates.ts";
import { agentOutput, header, row } from "../../shared/agent.ts";
import { oneLine } from "../../shared/text.ts";
import type { View } from "../output/output.ts";
import { padEnd } from "./width.ts";

type Job = Output<typeof previewCronJob>["job"];
/** A preview of occurrences. A job that is only in a file, and not stored yet, has no uid. */
type Preview = Pick<Output<typeof previewCronJob>, "occurrences"> & {
  readonly job: Pick<Job, "name" | "timezone" | "held"> & { readonly uid?: string };
};
type Ledger = Pick<Output<typeof showCronJobLedger>, "job" | "entries" | "next_before">;

const heldText = (held: string): string => stoppedText(held) ?? oneLine(held);

function head({ name, timezone, held }: Preview["job"]): string {
  const now = held === undefined ? "" : `; held: ${heldText(held)}`;
  return `${oneLine(name)} (${oneLine(timezone)})${now}`;
}

export const previewView: View<Preview> = {
  human: ({ job, occurrences }, { paint, quiet }) => {
    if (quiet) return occurrences.map(({ at }) => oneLine(at)).join("\n");
    if (occurrences.length === 0) return `${head(job)}\n  no time to come`;
    const rows = occurrences.map(({ at, local, offset, offset_changed }) => {
      const [date = "", time = ""] = oneLine(local).split("T");
      const wall = `${weekdayOf(date)} ${date} ${time} ${oneLine(offset)}`;
      const mark = offset_changed ? `  ${paint("strong", "the clock has changed")}` : "";
      return `  ${wall}  ${paint("faint", oneLine(at))}${mark}`;
    });
    return [head(job), ...rows].join("\n");
  },
  agent: ({ job, occurrences }, quiet) => {
    const { uid, timezone, held } = job;
    const rows = occurrences.map(({ at, local, offset, offset_changed }) =>
      row({ at, local, offset, offset_changed }),
    );
    const fields = { job: uid, timezone, held, count: occurrences.length };
    return agentOutput(header("preview", fields), rows, quiet);
  },
};

const DAY_MS = 86_400_000;
const WEEKDAYS = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];

function weekdayOf(date: string): string {
  const { weekday } = wallDay(instantToMs(`${date}T00:00:00Z`) / DAY_MS);
  return WEEKDAYS[weekday] ?? "";
}

export const ledgerView: View<Ledger> = {
  human: ({ job, entries }, { paint, quiet }) => {
    const rows = entries.map((entry) => {
      const at = oneLine(entry.at);
      if (quiet) return `${at} ${oneLine(entry.outcome)}`;
      const note = entry.held === undefined ? "" : `  ${paint("faint", heldText(entry.held))}`;
      return `  ${at}  ${outcomeText(entry, (id) => paint("id", id))}${note}`;
    });
    if (quiet) return rows.join("\n");
    if (rows.length === 0) return `${head(job)}\n  nothing came due yet`;
    return [head(job), ...rows].join("\n");
  },
  agent: ({ job, entries, next_before }, quiet) => {
    const rows = entries.map(
      ({ at, outcome, late_seconds, child_short_id, child_uid, policy, held }) =>
        row({ at, outcome, late_seconds, issue: child_short_id ?? child_uid, policy, held }),
    );
    const fields = { job: job.uid, held: job.held, count: entries.length, next_before };
    return agentOutput(header("ledger", fields), rows, quiet);
  },
};

function outcomeText(
  { outcome, late_seconds = 0, child_short_id, child_uid, policy }: Ledger["entries"][number],
  id: (text: string) => string,
): string {
  if (outcome === "discarded") return padEnd(`discarded by ${oneLine(policy ?? "")}`, 20);
  if (outcome !== "delivered") return padEnd(oneLine(outcome), 20);
  const child = oneLine(child_short_id ?? child_uid ?? "");
  return `delivered  ${id(child)}  ${lateText(late_seconds)}`;
}

/** Formats a delay in its largest whole unit: 7300 seconds are `2h late`. */
function lateText(seconds: number): string {
  const [unit, length] = (
    [
      ["d", 86_400],
      ["h", 3600],
      ["m", 60],
      ["s", 1],
    ] as const
  ).find(([, size]) => seconds >= size) ?? ["s", 1];
  return seconds === 0 ? "on time" : `${Math.floor(seconds / length)}${unit} late`;
}

type SweepResult = Pick<Output<typeof sweepCronJob>, "job" | "made" | "more" | "next_at">;

export const sweepView: View<SweepResult> = {
  human: (swept, { paint }) => {
    const { job, made } = swept;
    const rows = made.map(({ at, child_short_id, asked }) => {
      const who = asked === undefined ? "nobody is asked" : `for ${oneLine(asked)}`;
      return `  ${oneLine(at)}  made  ${paint("id", oneLine(child_short_id))}  ${who}`;
    });
    return [head(job), ...rows, `  ${afterSweep(swept)}`].join("\n");
  },
  agent: ({ job, made, more, next_at }, quiet) => {
    const rows = made.map(({ at, child_short_id, asked }) =>
      row({ at, issue: child_short_id, asked }),
    );
    const fields = { job: job.uid, held: job.held, count: made.length, more, next_at };
    return agentOutput(header("sweep", fields), rows, quiet);
  },
  refs: ({ made }) => made.map(({ child_short_id }) => child_short_id),
};

function afterSweep({ job, made, more, next_at }: SweepResult): string {
  if (more) return "more is due: sweep again";
  if (job.held !== undefined) return "nothing is delivered while the job is held";
  const rest = made.length === 0 ? "nothing is due" : "nothing else is due";
  return next_at === undefined ? `${rest}; no time to come` : `${rest}; next ${oneLine(next_at)}`;
}
