import { counted } from "../../base/counted.ts";
import { formatDuration } from "../../base/durations.ts";
import type {
  disableIssueSync,
  enableIssueSync,
  getIssueSyncStatus,
  runIssueSyncOnce,
} from "../../contract/issue-sync.ts";
import type { Output } from "../../contract/route.ts";
import { agentOutput, header, line, row } from "../../shared/agent.ts";
import { oneLine } from "../../shared/text.ts";
import type { View } from "../output/output.ts";
import { shortTime } from "./show.ts";

type SyncStatus = Output<typeof getIssueSyncStatus>;
type Once = Output<typeof runIssueSyncOnce>;
type Bound = Output<typeof enableIssueSync>;

const OWNED =
  "GitHub owns title, body, state, labels, owner, comments and parent of these issues: a newer value there replaces a local edit.";

export const syncEnabledView: View<Bound> = {
  human: ({ binding, status }, { quiet }) => {
    if (quiet) return "";
    const every = formatDuration(binding.interval_seconds * 1000);
    const first = `reads ${repositoryOf(binding)} every ${every}`;
    return [first, OWNED, nextText(status)].filter((text) => text !== "").join("\n");
  },
  agent: ({ binding }, quiet) =>
    agentOutput(header("sync_enabled", bindingFields(binding)), line("Owned", OWNED), quiet),
};

export const syncDisabledView: View<Output<typeof disableIssueSync>> = {
  human: ({ binding }, { quiet }) =>
    quiet ? "" : `reads ${repositoryOf(binding)} no more; its issues stay`,
  agent: ({ binding }, quiet) =>
    agentOutput(header("sync_disabled", bindingFields(binding)), [], quiet),
};

export const syncStatusView: View<SyncStatus> = {
  human: ({ binding, status }, { quiet, paint }) => {
    if (quiet) return status.state;
    if (binding === undefined)
      return "The project reads issues from no repository: svc sync github enable";
    const every = formatDuration(binding.interval_seconds * 1000);
    const { sync_started_at, last_attempt_at, last_success_at, last_error_at } = status;
    const lines = [
      `${repositoryOf(binding)}  ${status.state}, every ${every}`,
      ...timed("running since", sync_started_at),
      ...timed("last attempt", last_attempt_at),
      last_success_at === undefined
        ? "no run was successful yet"
        : `last success ${shortTime(last_success_at)}: ${countsOf(status)}`,
    ];
    if (status.last_error !== undefined)
      lines.push(
        paint(
          "strong",
          `last error ${shortTime(last_error_at ?? "")}: ${oneLine(status.last_error)}`,
        ),
      );
    return [...lines, nextText(status)].filter((text) => text !== "").join("\n");
  },
  agent: ({ binding, status }, quiet) => {
    const { state, last_success_at, last_error, next_attempt_at } = status;
    const fields = binding === undefined ? {} : bindingFields(binding);
    const { last_created, last_updated, last_unchanged, last_comments } = status;
    const counts = { last_created, last_updated, last_unchanged, last_comments };
    const ran = last_success_at === undefined ? {} : { last_success: last_success_at, ...counts };
    return agentOutput(
      header("sync_status", { ...fields, state, ...ran, next: next_attempt_at }),
      line("Error", last_error),
      quiet,
    );
  },
};

export const syncOnceView: View<Once> = {
  human: ({ import: done, binding }, { quiet }) => {
    if (quiet) return done.sync_uid;
    const { created, updated, unchanged, comments, links, requests, waited_ms } = done;
    const counts = `${created} created, ${updated} updated, ${unchanged} unchanged, ${counted(comments, "comment")} and ${counted(links, "link")} added`;
    const waited = waited_ms === 0 ? "" : `, ${formatDuration(waited_ms)} of waiting`;
    const isNew = created + updated > 0;
    return [
      `read ${repositoryOf(binding)}: ${counts}`,
      `${counted(requests, "request")}${waited}`,
      ...done.items.flatMap(({ issue_short_id, reason }) =>
        reason === undefined
          ? []
          : [`${oneLine(issue_short_id)} stays as it is: ${oneLine(reason)}`],
      ),
      ...done.errors.map((error) => oneLine(error)),
      ...(isNew ? [`svc import undo ${oneLine(done.sync_uid)} takes this back`] : []),
    ].join("\n");
  },
  agent: ({ import: done }, quiet) => {
    const { sync_uid, created, updated, unchanged, comments, links, requests, waited_ms } = done;
    const counts = { created, updated, unchanged, comments, links, requests, waited_ms };
    const items = done.items.map(({ issue_short_id, status, reason }) =>
      row({ issue: issue_short_id, status, reason }),
    );
    const errors = done.errors.flatMap((error) => line("Error", error));
    return agentOutput(header("sync_once", { sync_uid, ...counts }), [...items, ...errors], quiet);
  },
};

type Binding = Bound["binding"];

function repositoryOf({ display_name, config }: Binding): string {
  return config.host === "github.com"
    ? oneLine(display_name)
    : oneLine(`${config.host}/${display_name}`);
}

function bindingFields(binding: Binding) {
  const { interval_seconds, enabled } = binding;
  return { repository: repositoryOf(binding), interval_seconds, enabled };
}

function countsOf({
  last_created,
  last_updated,
  last_unchanged,
  last_comments,
}: SyncStatus["status"]) {
  return `${last_created} created, ${last_updated} updated, ${last_unchanged} unchanged, ${counted(last_comments, "comment")} added`;
}

function timed(what: string, instant: string | undefined): readonly string[] {
  return instant === undefined ? [] : [`${what} ${shortTime(instant)}`];
}

function nextText({ next_attempt_at }: SyncStatus["status"]): string {
  return next_attempt_at === undefined ? "" : `next run ${shortTime(next_attempt_at)}`;
}
