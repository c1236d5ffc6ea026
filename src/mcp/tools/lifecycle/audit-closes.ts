import { z } from "zod";
import { auditCloses as route } from "../../../contract/activity.ts";
import type { CallInput, Output } from "../../../contract/route.ts";
import { CLOSE_REASONS } from "../../../domain/close.ts";
import { projectOf } from "../../../shared/ref.ts";
import { firstRows, roomFor } from "../../budget.ts";
import { ToolError } from "../../failure.ts";
import * as inputs from "../../inputs.ts";
import { ProjectIdentity } from "../../objects.ts";
import { foreignCursor } from "../../paging.ts";
import { READS, type ToolContext, tool } from "../../tool.ts";
import { shortened } from "../../views.ts";

type Row = Output<typeof route>["rows"][number];

const MESSAGE_BYTES = 300;

export const auditCloses = tool({
  name: "svc.audit_closes",
  title: "Audit closes",
  description:
    "What was closed, by whom and on what kinds of evidence, oldest first; long messages are cut. One page; pass next_cursor for more.",
  annotations: READS,
  input: z.strictObject({
    project: inputs.ownProject,
    since: inputs.instant.optional().describe("RFC 3339, from here on"),
    until: inputs.instant.optional().describe("RFC 3339, up to here"),
    actor: z.string().min(1).optional().describe("who closed"),
    parent: inputs.ref.optional().describe("only children of this issue"),
    reason: z.enum(CLOSE_REASONS).optional().describe("only this reason"),
    no_evidence: z.boolean().optional().describe("only closes without evidence"),
    limit: inputs.limit,
    cursor: inputs.cursor,
  }),
  output: z.strictObject({
    project: ProjectIdentity,
    rows: z.array(
      z.strictObject({
        time: z.string(),
        actor: z.string(),
        issue: z.string().optional(),
        reason: z.string(),
        event_id: z.int(),
        message: z.string().optional(),
        parent: z.string().optional(),
        parent_uid: z.string().optional(),
        evidence_types: z.array(z.string()),
        flags: z.array(z.string()),
      }),
    ),
    truncated: z.boolean().optional(),
    next_cursor: z.string().optional(),
  }),
  async run({ project: name, limit, cursor, parent, ...filters }, context) {
    const { scope } = context;
    const project = await scope.project(name);
    if (parent !== undefined) await scope.issue(parent, "parent");
    const read = pagesOf({ ...filters, parent, project_id: project.id }, context);
    const from = cursor === undefined ? { event: 0, seen: 0 } : await placeOf(cursor, read);
    const room = roomFor(limit, project);
    const { rows: found, next_after } = await read(from.event, room.rows + 1);
    const inReach = new Set((await scope.projects()).map((member) => member.name));
    const shown = found.map((row) => rowOf(row, scope.isLimited ? inReach : undefined));
    const rows = firstRows(shown, room);
    const last = rows.at(-1);
    const isCut = last !== undefined && (rows.length < found.length || next_after !== undefined);
    const next_cursor = `v1:${last?.event_id}:${from.seen + rows.length}`;
    return { project, rows: [...rows], ...(isCut ? { truncated: true, next_cursor } : {}) };
  },
});

type ReadPage = (
  after_event_id: number,
  limit: number,
) => Promise<Pick<Output<typeof route>, "rows" | "next_after">>;
type Query = NonNullable<CallInput<typeof route>["query"]>;
type Filters = Omit<Query, "after_event_id" | "limit" | "max_bytes">;

/**
 * Returns a function that reads the closes that came after an event, at most `limit` rows and `PAGE_BYTES` bytes. The
 * number of rows alone is no limit, because rows can be large.
 */
function pagesOf(filters: Filters, { call }: ToolContext): ReadPage {
  return async (after_event_id, limit) => {
    const query = { ...filters, after_event_id, limit, max_bytes: PAGE_BYTES };
    return await call(route, { query });
  };
}

const PAGE_ROWS = 1000;
const PAGE_BYTES = 4 * 1024 * 1024;

const CURSOR = /^v1:([1-9]\d{0,15}):([1-9]\d{0,15})$/;

/**
 * Parses a cursor, which has the event of the last row that was shown and the number of rows up to it. Counts the rows
 * up to this event again, and fails if there are more or fewer now. A merge, a purge or other filters change the rows,
 * and the next page would then skip or repeat some (docs/contract/tools.md#91-close-audit).
 */
async function placeOf(cursor: string, read: ReadPage) {
  const [, event = "", seen = ""] = CURSOR.exec(cursor) ?? [];
  if (event === "") throw foreignCursor();
  const place = { event: Number(event), seen: Number(seen) };
  let count = 0;
  let after = 0;
  while (count < place.seen) {
    const { rows } = await read(after, Math.min(PAGE_ROWS, place.seen - count));
    const last = rows.at(-1);
    if (last === undefined || last.event_id > place.event) break;
    count += rows.length;
    after = last.event_id;
  }
  if (count !== place.seen || after !== place.event)
    throw new ToolError("the rows have changed since the last page; start again without cursor");
  return place;
}

/** Returns the row, without its issue or its parent if these are out of reach. */
function rowOf(row: Row, inReach: ReadonlySet<string> | undefined) {
  const { time, actor, issue, reason, event_id, message, parent, parent_uid } = row;
  const { evidence_types, flags } = row;
  const isShown = (name: string): boolean => inReach?.has(projectOf(name)) ?? true;
  const hasParent = parent !== undefined && isShown(parent);
  return {
    time,
    actor,
    // The issue may have been moved to a project that is out of reach.
    ...(isShown(issue) ? { issue } : {}),
    reason,
    event_id,
    ...(message === undefined ? {} : { message: shortened(message, MESSAGE_BYTES) }),
    ...(hasParent ? { parent, ...(parent_uid === undefined ? {} : { parent_uid }) } : {}),
    evidence_types: evidence_types.slice(0, MAX_TYPES),
    flags: [...flags],
  };
}

const MAX_TYPES = 10;
