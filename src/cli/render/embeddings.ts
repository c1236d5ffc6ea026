import { counted } from "../../base/counted.ts";
import { formatDuration } from "../../base/durations.ts";
import type { reindexEmbeddings, showEmbeddings } from "../../contract/embeddings.ts";
import type { Output } from "../../contract/route.ts";
import { agentOutput, header, line, row } from "../../shared/agent.ts";
import { oneLine } from "../../shared/text.ts";
import type { View } from "../output/output.ts";
import { shortTime } from "./show.ts";

type Status = Output<typeof showEmbeddings>;

const NOT_CONFIGURED =
  "not configured: set base_url and model of [search.embeddings] in config.toml";

export const embeddingsView: View<Status> = {
  human: (status, { quiet, paint }) => {
    if (!status.configured) return NOT_CONFIGURED;
    if (quiet) return String(status.backlog ?? 0);
    return [
      `model ${oneLine(status.model ?? "")}, ${status.dims ?? 0} numbers`,
      `indexed ${status.embedded ?? 0} of ${status.total ?? 0}${generationText(status)}`,
      ...skippedText(status),
      ...(status.backlog === 0 ? [] : [`backlog ${status.backlog ?? 0}`]),
      ...rateText(status),
      status.last_success_at === undefined
        ? "no call was successful yet"
        : `last success ${shortTime(status.last_success_at)}`,
      ...(status.error_present === true ? [paint("strong", errorText(status))] : []),
    ].join("\n");
  },
  agent: (status, quiet) => {
    const { configured, model, generation, embedded, total, skipped, backlog } = status;
    const { rate_per_second, eta_seconds, last_success_at, last_error_status } = status;
    const head = header("search_status", {
      ...{ configured, model, generation, embedded, total, skipped, backlog },
      ...{ rate_per_second, eta_seconds, last_success: last_success_at, last_error_status },
    });
    const rows = (status.skipped_issues ?? []).map(({ qualified_id, reason }) =>
      row({ issue: qualified_id, skipped: reason }),
    );
    return agentOutput(head, [...rows, ...line("Cure", cureOf(status))], quiet);
  },
};

export const reindexView: View<Output<typeof reindexEmbeddings>> = {
  human: ({ total }, { quiet }) =>
    quiet
      ? ""
      : `${counted(total, "issue")} will be embedded anew; svc search status shows how far it is`,
  agent: ({ total }, quiet) => agentOutput(header("search_reindex", { total }), [], quiet),
};

function generationText({ generation }: Status): string {
  return generation === "building" ? ", which answers searches when it is complete" : "";
}

/** Names the skipped issues. The daemon lists the first ones only. */
function skippedText({ skipped = 0, skipped_issues = [] }: Status): readonly string[] {
  if (skipped === 0) return [];
  const more = skipped - skipped_issues.length;
  const ids = skipped_issues.map(({ qualified_id }) => oneLine(qualified_id)).join(", ");
  const others = more > 0 ? ` and ${more} more` : "";
  return [`skipped ${skipped}, which the provider refused or failed at: ${ids}${others}`];
}

function rateText({ rate_per_second, eta_seconds }: Status): readonly string[] {
  if (rate_per_second === undefined) return [];
  const rate = rate_per_second < 10 ? rate_per_second.toFixed(1) : rate_per_second.toFixed(0);
  const left = eta_seconds === undefined ? "" : `, about ${roughly(eta_seconds)} left`;
  return [`rate ${rate} per second${left}`];
}

/** The duration in whole minutes if it is longer than one. */
function roughly(seconds: number): string {
  const rounded = seconds < 60 ? seconds : Math.round(seconds / 60) * 60;
  return formatDuration(rounded * 1000).replace(/(?<=m)0s$/, "");
}

function errorText(status: Status): string {
  const { last_error_status, index_failed } = status;
  const hasNoStatus = index_failed === true || last_error_status === undefined;
  const what = hasNoStatus ? "last error" : `last error ${last_error_status}`;
  const cure = cureOf(status);
  return cure === undefined ? what : `${what}: ${cure}`;
}

function cureOf({ error_present, error_cure }: Status): string | undefined {
  return error_present === true && error_cure !== undefined ? oneLine(error_cure) : undefined;
}
