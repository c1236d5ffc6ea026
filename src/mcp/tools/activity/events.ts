import { z } from "zod";
import { pollEvents, pollProjectEvents } from "../../../contract/activity.ts";
import { SvcError } from "../../../contract/errors.ts";
import { EVENT_KINDS } from "../../../contract/event-kinds.ts";
import { listAllIssues } from "../../../contract/issues.ts";
import { MAX_ISSUE_UIDS } from "../../../contract/limits.ts";
import type { Output } from "../../../contract/route.ts";
import { firstRows, type Room, roomFor } from "../../budget.ts";
import * as inputs from "../../inputs.ts";
import type { Project } from "../../scope.ts";
import { type ToolContext, tool } from "../../tool.ts";
import { type EventRow, eventView, type Insight, namedUids, StreamEvent } from "./event-view.ts";

const POLL_MS = 250;

const output = z.strictObject({
  events: z.array(StreamEvent),
  next_after_id: z.int(),
  reset_required: z.boolean(),
  reset_after_id: z.int().optional(),
  timed_out: z.boolean().optional(),
});

type Answer = z.input<typeof output>;
type Polled = Output<typeof pollEvents>;

export const events = tool({
  name: "svc.events",
  title: "Events",
  description:
    "Changes after a cursor, oldest first, with short payloads; wait returns with the first. Go on with after = next_after_id; reset_required means: read everything again.",
  hints: "+-+-",
  input: z.strictObject({
    project: inputs.project.optional(),
    mode: z.enum(["poll", "wait"]).default("poll").describe("default poll"),
    after: z.int().min(0).default(0).describe("next_after_id of the answer before"),
    limit: inputs.limit,
    wait_seconds: z.int().min(1).max(300).default(30).describe("wait: most seconds, default 30"),
  }),
  output,
  async run({ project: name, mode, after, limit, wait_seconds }, context) {
    const projects = await context.scope.chosen(name);
    const isWhole = context.scope.reach.kind === "all" && name === undefined;
    const room = roomFor(limit);
    const poll = async (): Promise<Answer> => {
      const pages = isWhole
        ? [await context.call(pollEvents, { query: { after_id: after, limit: room.rows } })]
        : await pagesOf(projects, after, room, context);
      return await answerOf(pages, after, room, context);
    };
    if (mode === "poll") return await poll();
    const untilMs = context.clock.nowMs() + wait_seconds * 1000;
    for (;;) {
      const answer = await poll();
      if (answer.events.length > 0 || answer.reset_required) return answer;
      const leftMs = untilMs - context.clock.nowMs();
      if (leftMs <= 0) return { ...answer, next_after_id: after, timed_out: true };
      const [only] = isWhole ? [] : projects;
      if (isWhole || projects.length === 1) await context.news(after, only?.id, leftMs);
      else await context.clock.sleep(Math.min(POLL_MS, leftMs), context.signal);
      context.signal.throwIfAborted();
    }
  },
});

/** Reads a page of each project. If one of several projects is gone meanwhile, it is left out. */
async function pagesOf(
  projects: readonly Project[],
  after_id: number,
  { rows }: Room,
  { call }: ToolContext,
): Promise<readonly Polled[]> {
  const pages: Polled[] = [];
  for (const { id } of projects) {
    try {
      const query = { after_id, limit: rows };
      pages.push(await call(pollProjectEvents, { params: { project_id: id }, query }));
    } catch (error) {
      const isGone = error instanceof SvcError && error.code === "project_not_found";
      if (!isGone || projects.length === 1) throw error;
    }
  }
  return pages;
}

async function answerOf(
  pages: readonly Polled[],
  after: number,
  room: Room,
  context: ToolContext,
): Promise<Answer> {
  const resets = pages.flatMap((page) => (page.reset_required ? [page.reset_after_id ?? 0] : []));
  if (resets.length > 0) {
    const to = Math.max(...resets);
    return { events: [], next_after_id: to, reset_required: true, reset_after_id: to };
  }
  const rows = pages.flatMap((page) => page.events).sort((a, b) => a.event_id - b.event_id);
  const first = rows.slice(0, room.rows);
  const insight = await insightInto(first, context);
  const shown = firstRows(
    first.map((row) => eventView(row, insight)),
    room,
  );
  const isCut =
    shown.length < rows.length || pages.some((page) => page.events.length === room.rows);
  const last = shown.at(-1);
  const read = Math.max(after, ...pages.map((page) => page.next_after_id));
  const next_after_id = isCut && last !== undefined ? last.event_id : read;
  return { events: [...shown], next_after_id, reset_required: false };
}

/** Returns which of the issues that the events name are in reach. Asks nothing if all projects are in reach. */
async function insightInto(
  rows: readonly EventRow[],
  { scope, call }: ToolContext,
): Promise<Insight | undefined> {
  if (!scope.isPartial) return undefined;
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
