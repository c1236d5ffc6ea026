import { z } from "zod";
import { digestProject } from "../../../contract/activity.ts";
import type { Output } from "../../../contract/route.ts";
import { momentOf } from "../../../shared/moment.ts";
import { firstRows, type Room, roomFor } from "../../budget.ts";
import * as inputs from "../../inputs.ts";
import { ProjectIdentity } from "../../objects.ts";
import { personNamed } from "../../person.ts";
import { READS, tool } from "../../tool.ts";

type Digest = Output<typeof digestProject>;

const Totals = z.record(z.string(), z.int());

export const digest = tool({
  name: "svc.digest",
  title: "Digest of changes",
  description:
    "Who did what since a moment, by project and actor, with the issues they worked on. If truncated, ask for a shorter time, one project or fewer actors.",
  annotations: READS,
  input: z.strictObject({
    project: inputs.onlyProject,
    since: inputs.instant.describe("RFC 3339, or how long ago: 90m, 12h, 7d"),
    until: inputs.instant.optional().describe("the end, in the same form, default now"),
    actors: z.array(inputs.actor).min(1).max(100).optional().describe("only these actors"),
  }),
  output: z.strictObject({
    digests: z.array(
      z.strictObject({
        project: ProjectIdentity,
        digest: z.strictObject({
          since: z.string(),
          until: z.string(),
          event_count: z.int(),
          totals: Totals,
          actors: z.array(
            z.strictObject({
              actor: z.string(),
              totals: Totals,
              issue_count: z.int(),
              issues: z.array(z.strictObject({ ref: z.string(), actions: z.array(z.string()) })),
            }),
          ),
          truncated: z.boolean().optional(),
        }),
      }),
    ),
    truncated: z.boolean(),
  }),
  async run({ project: name, since, until, actors }, context) {
    const { scope, call, clock } = context;
    const now = { ms: clock.nowMs(), zone: "UTC" };
    const projects = await scope.chosen(name);
    const room = roomFor(undefined);
    const query = {
      since: momentOf("since", since, now) ?? since,
      until: momentOf("until", until, now),
      actor: actors && (await Promise.all(actors.map((actor) => personNamed(actor, context)))),
      // Several projects share the room of one answer, so ask for each digest in at most half of it.
      max_bytes: Math.floor(room.bytes / 2),
    };
    const names = new Set((await scope.projects()).map((member) => member.name));
    const digests = [];
    for (const project of projects) {
      const answer = await call(digestProject, { params: { project_id: project.id }, query });
      if (projects.length === 1 || answer.event_count > 0)
        digests.push({ project, digest: digestOf(answer, names, room) });
    }
    const rows = firstRows(digests, { ...room, rows: digests.length });
    return { digests: [...rows], truncated: rows.length < digests.length };
  },
});

/**
 * Returns the digest without issues that have been moved to a project out of reach. Also leaves out actors that do not
 * fit into the answer, because `max_bytes` makes the daemon leave out only issues.
 */
function digestOf(
  { since, until, event_count, totals, actors, truncated }: Digest,
  names: ReadonlySet<string>,
  room: Room,
) {
  const all = actors.map((row) => ({
    actor: row.actor,
    totals: countsOf(row.totals),
    issue_count: row.issue_count ?? row.issues.length,
    issues: row.issues
      .filter((issue) => names.has(issue.project_name))
      .map(({ project_name, issue_short_id, actions }) => ({
        ref: `${project_name}#${issue_short_id}`,
        actions: [...actions],
      })),
  }));
  const shown = firstRows(all, { rows: all.length, bytes: room.bytes - HEAD_BYTES });
  const isCut = truncated === true || shown.length < all.length;
  return {
    since,
    until,
    event_count,
    totals: countsOf(totals),
    actors: [...shown],
    ...(isCut ? { truncated: true } : {}),
  };
}

/** Bytes reserved for the project, the time span and the totals of a digest. */
const HEAD_BYTES = 1024;

function countsOf(totals: Digest["totals"]): Record<string, number> {
  return Object.fromEntries(
    Object.entries(totals).flatMap(([action, count]) =>
      typeof count === "number" && count > 0 ? [[action, count]] : [],
    ),
  );
}
