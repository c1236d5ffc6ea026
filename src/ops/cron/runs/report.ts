import { parseInstant } from "../../../base/clock.ts";
import type { reportCronRuns as contract } from "../../../contract/cron-runs.ts";
import { invalidField } from "../../../contract/errors.ts";
import { REPORT_MAX_GROUPS } from "../../../contract/limits.ts";
import { qualifiedId } from "../../../domain/refs.ts";
import type { RunGroup, RunSums } from "../../../store/types/schedules.ts";
import type { Reader } from "../../../store/types/store.ts";
import type { ReadOp } from "../../deps.ts";
import { requireProject } from "../../find.ts";

export const reportCronRuns: ReadOp<typeof contract> = async (
  { store },
  _who,
  { params, query },
) => {
  const { by = "issue", limit = REPORT_MAX_GROUPS } = query;
  const wanted = {
    since: dayOf("since", query.since),
    until: dayOf("until", query.until),
    issue_uid: query.issue_uid,
  };
  return await store.read(async (reader) => {
    const project = await requireProject(reader, params.project_id);
    const groups = await reader.runs.report(project.uid, by, wanted);
    const shown = shownOf(by, groups, limit);
    const names = await namesOf(reader, by, shown);
    return {
      by,
      total: sumsOut(groups.reduce(addSums, NOTHING)),
      groups: shown.map((group) => ({ ...keyOut(group, names), ...sumsOut(group) })),
      truncated: groups.length > limit,
    };
  });
};

function dayOf(name: string, text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  if (/^\d{4}-\d\d-\d\d$/.test(text) && parseInstant(`${text}T00:00:00Z`) !== undefined)
    return text;
  throw invalidField(name, "must be a day, YYYY-MM-DD");
}

/**
 * Returns at most `limit` groups. With `by` equal to `day`, these are the newest days, the oldest of them first.
 * Otherwise they are the groups with the most tokens, the largest first.
 */
function shownOf(by: string, groups: readonly RunGroup[], limit: number): readonly RunGroup[] {
  if (by !== "day") return [...groups].sort(byTokens).slice(0, limit);
  return [...groups].sort((a, b) => ((a.key ?? "") < (b.key ?? "") ? -1 : 1)).slice(-limit);
}

function byTokens(a: RunGroup, b: RunGroup): number {
  const more = b.input_tokens + b.output_tokens - a.input_tokens - a.output_tokens;
  if (more !== 0) return more;
  return (a.key ?? "~") < (b.key ?? "~") ? -1 : 1;
}

const NOTHING: RunSums = {
  runs: 0,
  succeeded: 0,
  failed: 0,
  input_tokens: 0,
  output_tokens: 0,
  duration_ms: 0,
};

function addSums(sum: RunSums, group: RunSums): RunSums {
  return {
    runs: sum.runs + group.runs,
    succeeded: sum.succeeded + group.succeeded,
    failed: sum.failed + group.failed,
    input_tokens: sum.input_tokens + group.input_tokens,
    output_tokens: sum.output_tokens + group.output_tokens,
    duration_ms: sum.duration_ms + group.duration_ms,
  };
}

function sumsOut({ runs, succeeded, failed, input_tokens, output_tokens, duration_ms }: RunSums) {
  return { runs, succeeded, failed, input_tokens, output_tokens, seconds: duration_ms / 1000 };
}

function keyOut({ key }: RunGroup, names: ReadonlyMap<string, string>) {
  if (key === null) return {};
  const name = names.get(key);
  return { key, ...(name === undefined ? {} : { name }) };
}

/**
 * The name to show for each key of the groups: the id and title of an issue, or the name of a job or workflow. The key
 * of a purged issue has no name.
 */
async function namesOf(reader: Reader, by: string, groups: readonly RunGroup[]) {
  const keys = groups.flatMap(({ key }) => key ?? []);
  const names = new Map<string, string>();
  if (by === "issue" || by === "parent") {
    for (const issue of (await reader.issues.many(keys)).values()) {
      const id = qualifiedId(issue.project_name, issue.short_id);
      names.set(issue.uid, `${id} ${issue.title}`);
    }
  }
  if (by === "job" || by === "workflow") {
    for (const uid of keys) {
      const found = await reader.cron[by](uid);
      if (found !== undefined) names.set(uid, found.name);
    }
  }
  return names;
}
