import { jsonBytes } from "../../base/json-bytes.ts";
import { slicesById } from "../../base/slices.ts";
import { yieldToLoop } from "../../base/yield-to-loop.ts";
import type { auditCloses as contract } from "../../contract/activity.ts";
import type { StoredEvent } from "../../contract/events.ts";
import type { Input, Output } from "../../contract/route.ts";
import { qualifiedId } from "../../domain/refs.ts";
import type { StoredIssue } from "../../store/types/rows.ts";
import type { Reader } from "../../store/types/store.ts";
import { withinBudget } from "../budget.ts";
import type { ReadOp } from "../deps.ts";
import { requireIssue, requireProject } from "../find.ts";
import { spanOf } from "./span.ts";

type Row = Output<typeof contract>["rows"][number];
type Close = StoredEvent<"issue.closed">;

const BEGINNING = "0001-01-01T00:00:00Z";
/** How many events are read before the event loop may do other work. */
const SLICE = 500;

/**
 * Lists closes with their actors and evidence; the next page begins after the last `event_id`
 * (docs/contract/http-api.md#37-events-digest-audit-undo).
 */
export const auditCloses: ReadOp<typeof contract, "store" | "clock"> = async (
  deps,
  _who,
  { query },
) => {
  const span = spanOf({ since: query.since ?? BEGINNING, until: query.until }, deps.clock);
  const { store } = deps;
  const { project, parent } = await store.read(async (reader) => await placeOf(reader, query));
  const isWanted = (close: Close): boolean =>
    close.created_at >= span.since &&
    close.created_at <= span.until &&
    (query.actor === undefined || close.actor === query.actor) &&
    (query.reason === undefined || close.payload.reason === query.reason) &&
    (parent === undefined || close.payload.parent_uid === parent) &&
    (query.no_evidence !== true || evidenceTypes(close).length === 0);
  const maxRows =
    query.limit === undefined || query.limit === 0 ? Number.MAX_SAFE_INTEGER : query.limit;
  // With `max_bytes` the answer says whether there are more closes. So read one close more than the request asks for.
  const limit = query.max_bytes === undefined ? maxRows : maxRows + 1;
  const maxBytes = query.max_bytes ?? 0;
  const rows: Row[] = [];
  const read = async (after: number) =>
    await store.read(
      async ({ events }) => await events.closes("issue.closed", project, after, SLICE),
    );
  for await (const slice of slicesById(SLICE, query.after_event_id ?? 0, read)) {
    const closes = slice
      .filter(isClose)
      .filter(isWanted)
      .slice(0, limit - rows.length);
    rows.push(...(await store.read(async (reader) => await rowsOf(reader, project, closes))));
    if (rows.length >= limit || (maxBytes > 0 && jsonBytes(rows) > maxBytes)) break;
    await yieldToLoop();
  }
  const shown = rows.slice(0, maxRows);
  const next_after = rows.length > maxRows ? shown.at(-1)?.event_id : undefined;
  const page = { rows: shown, ...(next_after === undefined ? {} : { next_after }) };
  return withinBudget(query, page, "rows", { placeOf: ({ event_id }: Row) => event_id });
};

async function placeOf(
  reader: Reader,
  { project_id, parent: ref }: Input<typeof contract>["query"],
): Promise<{ readonly project: string; readonly parent: string | undefined }> {
  const { uid: project } = await requireProject(reader, project_id);
  if (ref === undefined) return { project, parent: undefined };
  const { issue } = await requireIssue(reader, { project_id, ref });
  return { project, parent: issue.uid };
}

function isClose(event: StoredEvent): event is Close {
  return event.type === "issue.closed";
}

async function rowsOf(
  reader: Reader,
  projectUid: string,
  closes: readonly Close[],
): Promise<Row[]> {
  const uids = closes.flatMap(({ issue_uid = "", payload }) => [issue_uid, payload.parent_uid]);
  const issues = await reader.issues.many([...new Set(uids)].filter((uid) => uid !== ""));
  const throttled = await throttledCloses(reader, projectUid, closes);
  return closes.map((close) => rowOf(close, issues, throttled.has(close.id)));
}

function rowOf(close: Close, issues: ReadonlyMap<string, StoredIssue>, throttled: boolean): Row {
  const { reason, message, parent_uid, evidence } = close.payload;
  const [issue, parent] = [issues.get(close.issue_uid ?? ""), issues.get(parent_uid)];
  const evidence_types = evidenceTypes(close);
  return {
    time: close.created_at,
    actor: close.actor,
    issue: issue === undefined ? (close.issue_uid ?? "") : nameOf(issue),
    reason,
    event_id: close.id,
    ...(message === undefined ? {} : { message }),
    ...(parent === undefined ? {} : { parent: nameOf(parent) }),
    ...(parent_uid === "" ? {} : { parent_uid }),
    evidence_types: [...evidence_types],
    ...(evidence === undefined ? {} : { evidence: [...evidence] }),
    flags: [
      ...(evidence_types.length === 0 ? ["no-evidence" as const] : []),
      ...(throttled ? ["throttled" as const] : []),
    ],
  };
}

function nameOf({ project_name, short_id }: StoredIssue): string {
  return qualifiedId(project_name, short_id);
}

function evidenceTypes({ payload }: Close): readonly string[] {
  return [...new Set((payload.evidence ?? []).map(({ type }) => type))];
}

/**
 * For each close that the close throttle refused, finds the next close of the same issue in the log. Returns the event
 * ids of these later closes.
 */
async function throttledCloses(
  reader: Reader,
  projectUid: string,
  closes: readonly Close[],
): Promise<ReadonlySet<number>> {
  const issueUids = new Set(closes.map(({ issue_uid }) => issue_uid));
  const refused = closes.length === 0 ? [] : await allRefused(reader, projectUid);
  const closeIds = new Set<number>();
  for (const { issue_uid, id } of refused) {
    if (issue_uid === undefined || !issueUids.has(issue_uid)) continue;
    const later = await firstClose(reader, issue_uid, id);
    if (later !== undefined) closeIds.add(later);
  }
  return closeIds;
}

async function allRefused(reader: Reader, projectUid: string): Promise<readonly StoredEvent[]> {
  const read = async (after: number) =>
    await reader.events.closes("close.throttled", projectUid, after, SLICE);
  const refused: StoredEvent[] = [];
  for await (const slice of slicesById(SLICE, 0, read)) refused.push(...slice);
  return refused;
}

async function firstClose(
  reader: Reader,
  issueUid: string,
  afterId: number,
): Promise<number | undefined> {
  const read = async (after: number) => await reader.events.ofIssue(issueUid, after, SLICE);
  for await (const slice of slicesById(SLICE, afterId, read)) {
    const close = slice.find(
      ({ type, issue_uid }) => type === "issue.closed" && issue_uid === issueUid,
    );
    if (close !== undefined) return close.id;
  }
  return undefined;
}
