import { z } from "zod";
import { pollEvents } from "../../../contract/activity.ts";
import { invalidField, SvcError } from "../../../contract/errors.ts";
import { EVENT_KINDS } from "../../../contract/event-kinds.ts";
import { listAllIssues } from "../../../contract/issues.ts";
import { MAX_EVENT_FILTER_VALUES, MAX_ISSUE_UIDS } from "../../../contract/limits.ts";
import { LOG_HEADER, type LogMark, logMarkText, parseLogMark } from "../../../contract/log-mark.ts";
import type { Output } from "../../../contract/route.ts";
import type { LogCursor } from "../../../shared/follow-state.ts";
import type { NamedProject } from "../../../shared/project-choice.ts";
import { firstRows, type Room, roomFor } from "../../budget.ts";
import * as inputs from "../../inputs.ts";
import { READS, type ToolContext, tool } from "../../tool.ts";
import { type EventRow, eventView, namedUids, StreamEvent } from "./event-view.ts";
import type { Insight } from "./redaction.ts";

const output = z.strictObject({
  events: z.array(StreamEvent),
  next_after_id: z.int(),
  reset_required: z.boolean(),
  reset_after_id: z.int().optional(),
  log: z.string().optional(),
  timed_out: z.boolean().optional(),
});

type Answer = z.input<typeof output>;
type PolledEvents = Output<typeof pollEvents>;

export const events = tool({
  name: "svc.events",
  title: "Events",
  description:
    "Changes in the order in which they were made, with short payloads. Give next_after_id as after and log as log to go on. reset_required: earlier answers no longer hold, read everything again.",
  annotations: READS,
  input: z.strictObject({
    project: inputs.onlyProject,
    mode: z
      .enum(["poll", "wait"])
      .default("poll")
      .describe("wait: if there is none yet, wait for the next one; default poll"),
    after: z.int().min(0).default(0).describe("next_after_id of the answer before"),
    log: z
      .string()
      .optional()
      .describe("log of the answer before: it tells when the log was replaced by an older copy"),
    limit: inputs.limit,
    wait_seconds: z
      .int()
      .min(1)
      .max(300)
      .default(30)
      .describe("wait: how long at most, default 30"),
  }),
  output,
  async run({ project: name, mode, after, log, limit, wait_seconds }, context) {
    const place = { cursor: after, log: sentLog(log) };
    const projects = await context.scope.chosen(name);
    const isWhole = context.scope.reach.kind === "all" && name === undefined;
    const room = roomFor(limit);
    const poll = async (): Promise<Answer> => {
      const input = requestAfter(place, room.rows);
      const pages = isWhole
        ? [await context.call(pollEvents, input)]
        : await pagesOf(projects, input, context);
      return await answerOf(pages, place, room, context);
    };
    if (mode === "poll") return await poll();
    const untilMs = context.clock.nowMs() + wait_seconds * 1000;
    return await context.watch(async (rest) => {
      for (;;) {
        const answer = await poll();
        if (answer.events.length > 0 || answer.reset_required) return answer;
        const leftMs = untilMs - context.clock.nowMs();
        if (leftMs <= 0) return { ...answer, timed_out: true };
        await rest(leftMs);
      }
    });
  },
});

function sentLog(text: string | undefined): LogMark | undefined {
  const mark = text === undefined ? undefined : parseLogMark(text);
  if (text === undefined || mark !== undefined) return mark;
  throw invalidField("log", "must be the log of an earlier answer");
}

function requestAfter({ cursor, log }: LogCursor, limit: number) {
  const headers = log === undefined ? {} : { [LOG_HEADER.toLowerCase()]: logMarkText(log) };
  return { query: { after_id: cursor, limit }, headers };
}

/**
 * Reads a page of the events of the projects. Each request asks for as many projects as the filter of the route
 * accepts. A project that no longer exists is left out, unless it is the only one.
 */
async function pagesOf(
  projects: readonly NamedProject[],
  { query, headers }: ReturnType<typeof requestAfter>,
  { call }: ToolContext,
): Promise<readonly PolledEvents[]> {
  const pages: PolledEvents[] = [];
  const groups = chunksOf(projects, MAX_EVENT_FILTER_VALUES);
  for (let group = groups.shift(); group !== undefined; group = groups.shift()) {
    const ids = group.map(({ id }) => id);
    try {
      const page = await call(pollEvents, { query: { ...query, project_id: ids }, headers });
      pages.push(ofProjects(ids, page));
    } catch (error) {
      const isGone = error instanceof SvcError && error.code === "project_not_found";
      if (!isGone || projects.length === 1) throw error;
      if (group.length > 1) groups.unshift(...chunksOf(group, 1));
    }
  }
  return pages;
}

/**
 * Returns the page without events of other projects. A daemon before API 0.15.0 ignores the filter and sends events of
 * all projects.
 */
function ofProjects(ids: readonly number[], page: PolledEvents): PolledEvents {
  const members = new Set(ids);
  return { ...page, events: page.events.filter(({ project_id }) => members.has(project_id)) };
}

function chunksOf<T>(all: readonly T[], size: number): (readonly T[])[] {
  return Array.from({ length: Math.ceil(all.length / size) }, (_, at) =>
    all.slice(at * size, (at + 1) * size),
  );
}

async function answerOf(
  pages: readonly PolledEvents[],
  after: LogCursor,
  room: Room,
  context: ToolContext,
): Promise<Answer> {
  const epoch = pages[0]?.epoch;
  const resets = pages.flatMap((page) => (page.reset_required ? [page.reset_after_id ?? 0] : []));
  if (resets.length > 0) {
    const to = Math.max(...resets);
    const reset = { next_after_id: to, reset_required: true, reset_after_id: to };
    return { events: [], ...reset, ...(epoch === undefined ? {} : { log: epoch }) };
  }
  const read = readUpTo(pages, after.cursor);
  const rows = pages
    .flatMap((page) => page.events)
    .filter(({ event_id }) => event_id <= read)
    .sort((one, other) => one.event_id - other.event_id);
  const first = rows.slice(0, room.rows);
  const insight = await insightInto(first, context);
  const shown = firstRows(
    first.map((row) => eventView(row, insight)),
    room,
  );
  const last = shown.at(-1);
  const isCut = shown.length < rows.length && last !== undefined;
  const next_after_id = isCut ? last.event_id : read;
  const log = logAt(next_after_id, { epoch, rows, after });
  return {
    ...{ events: [...shown], next_after_id, reset_required: false },
    ...(log === undefined ? {} : { log: logMarkText(log) }),
  };
}

/** Returns the name of the log for a cursor. It includes the chain if the event at the cursor is known. */
function logAt(
  cursor: number,
  read: {
    readonly epoch: string | undefined;
    readonly rows: readonly EventRow[];
    readonly after: LogCursor;
  },
): LogMark | undefined {
  const { epoch, rows, after } = read;
  if (cursor === after.cursor && after.log !== undefined) return after.log;
  const chain = rows.find(({ event_id }) => event_id === cursor)?.chain;
  return epoch === undefined ? undefined : { epoch, chain };
}

/**
 * Returns the id up to which the events of all pages are known: the lowest of the ids at which the pages end. If there
 * is no page, because no project in reach is active, returns the cursor of the request.
 */
function readUpTo(pages: readonly PolledEvents[], after: number): number {
  if (pages.length === 0) return after;
  return Math.max(after, Math.min(...pages.map((page) => page.next_after_id)));
}

/** Returns which of the issues that the events name are in reach, or `undefined` if all projects are in reach. */
async function insightInto(
  rows: readonly EventRow[],
  { scope, call }: ToolContext,
): Promise<Insight | undefined> {
  if (!scope.isLimited) return undefined;
  const projects = await scope.projects();
  const members = new Set(projects.map(({ id }) => id));
  const uids = new Set(projects.map(({ uid }) => uid));
  const named = [...namedUids(rows)];
  for (let at = 0; at < named.length; at += MAX_ISSUE_UIDS) {
    const issue_uid = named.slice(at, at + MAX_ISSUE_UIDS);
    const query = { issue_uid, fields: "uid,project_id" };
    for (const issue of (await call(listAllIssues, { query })).issues)
      if (members.has(issue.project_id)) uids.add(issue.uid);
  }
  const names = new Set(projects.map(({ name }) => name));
  return { uids, projects: names, kinds: new Set(Object.keys(EVENT_KINDS)) };
}
