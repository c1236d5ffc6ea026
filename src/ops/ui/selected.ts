import { SNAPSHOT_HISTORY } from "../../contract/limits.ts";
import type { StoredIssue } from "../../store/types/rows.ts";
import type { Reader } from "../../store/types/store.ts";
import { commentOut } from "../out/comments.ts";
import { eventsOut } from "../out/events.ts";
import { isHidden } from "../out/issues.ts";
import { labelOut } from "../out/labels.ts";
import { recurrenceOut } from "../out/recurrences.ts";
import { allRows } from "../streamed-rows.ts";
import { linksOfIssues, uiIssuesOut } from "./out.ts";

/** The issue that a page shows beside its list, with everything that belongs to it. */
export async function selectedOut(
  reader: Reader,
  issue: StoredIssue | undefined,
  include_history: boolean,
) {
  if (issue === undefined) {
    const none = { comments: [], labels: [], links: [], recurrences: [], history: [] };
    return { state: "missing" as const, ...none };
  }
  const { uid } = issue;
  const [shown] = await uiIssuesOut(reader, [issue]);
  const comments = await reader.comments.of(uid);
  const labels = await reader.labels.of(uid);
  return {
    state: isHidden(issue) ? ("archived" as const) : ("available" as const),
    ...(shown === undefined ? {} : { issue: shown }),
    comments: comments.map((comment) => commentOut(comment, issue)),
    labels: labels.map((label) => labelOut(label, issue)),
    links: await allRows(linksOfIssues(reader, [uid], { known: new Map() })),
    recurrences: await seriesOf(reader, issue),
    history: include_history
      ? await eventsOut(reader, await reader.events.lastOfIssue(uid, SNAPSHOT_HISTORY))
      : [],
  };
}

async function seriesOf(reader: Reader, { recurrence_uid }: StoredIssue) {
  const series =
    recurrence_uid === null ? undefined : await reader.recurrences.find(recurrence_uid);
  if (series === undefined || series.deleted_at !== null) return [];
  const project = await reader.projects.find(series.project_uid);
  return project === undefined ? [] : [recurrenceOut(series, project)];
}
