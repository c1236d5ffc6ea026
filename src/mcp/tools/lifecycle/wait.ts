import { z } from "zod";
import { listAllIssues, showIssueByUID } from "../../../contract/issues.ts";
import { fixedIssue } from "../../confirmed.ts";
import { ToolError } from "../../failure.ts";
import { refList } from "../../inputs.ts";
import { READS, type ToolContext, tool } from "../../tool.ts";
import { shortRef } from "../../views.ts";

const Status = z.enum(["open", "closed", "deleted"]);
type Status = z.output<typeof Status>;

export const wait = tool({
  name: "svc.wait",
  title: "Wait for issues",
  description:
    "Waits until all of the issues have a status, or one of them with any. The reason is timeout if that takes too long.",
  annotations: READS,
  input: z.strictObject({
    refs: refList.describe("issues, none twice"),
    status: Status.default("closed").describe("what to wait for, default closed"),
    any: z.boolean().default(false).describe("one issue is enough"),
    timeout_seconds: z.int().min(1).max(300).default(30).describe("how long at most, default 30"),
  }),
  output: z.strictObject({
    reason: z.enum(["matched", "timeout"]),
    states: z.array(z.strictObject({ ref: z.string(), status: Status, matched: z.boolean() })),
  }),
  async run({ refs, status: wanted, any, timeout_seconds }, context) {
    const { clock } = context;
    const untilMs = clock.nowMs() + timeout_seconds * 1000;
    const issues = await issuesOf(refs, context);
    const uids = issues.map(({ uid }) => uid);
    return await context.watch(async (rest) => {
      for (;;) {
        const statuses = await statusesOf(uids, context);
        const states = issues.map(({ ref }, at) => {
          const status = statuses[at] ?? "deleted";
          return { ref, status, matched: status === wanted };
        });
        const isMatched = any
          ? states.some(({ matched }) => matched)
          : states.every(({ matched }) => matched);
        if (isMatched) return { reason: "matched" as const, states };
        const leftMs = untilMs - clock.nowMs();
        if (leftMs <= 0) return { reason: "timeout" as const, states };
        await rest(leftMs);
      }
    });
  },
});

/** Returns the uid of each ref. A uid names the same issue even if the issue is moved or renamed later. */
async function issuesOf(
  refs: readonly string[],
  context: ToolContext,
): Promise<readonly WaitedFor[]> {
  const issues: WaitedFor[] = [];
  for (const refText of refs) {
    const { params, qualified_ref } = await fixedIssue(refText, true, context);
    if (issues.some(({ uid }) => uid === params.ref))
      throw new ToolError(`invalid arguments: refs: ${JSON.stringify(refText)} is named twice`);
    const ref = context.scope.isBound ? shortRef(qualified_ref) : qualified_ref;
    issues.push({ uid: params.ref, ref });
  }
  return issues;
}

interface WaitedFor {
  readonly uid: string;
  readonly ref: string;
}

/**
 * Returns the status of each issue. One request reads all of them except deleted ones. Deleted issues are in no list,
 * so each of them needs a request of its own.
 */
async function statusesOf(
  uids: readonly string[],
  { call, scope }: ToolContext,
): Promise<readonly Status[]> {
  const members = new Set((await scope.projects()).map(({ id }) => id));
  const query = { issue_uid: [...uids], fields: "uid,status,project_id" };
  const { issues } = await call(listAllIssues, { query });
  const listed = new Map(issues.map((issue) => [issue.uid, issue]));
  const statuses: Status[] = [];
  for (const uid of uids) {
    const { project_id, status } = listed.get(uid) ?? (await deletedIssue(uid, call));
    if (!members.has(project_id))
      throw new ToolError("an issue left this server's scope while it was waited for");
    statuses.push(status);
  }
  return statuses;
}

async function deletedIssue(uid: string, call: ToolContext["call"]) {
  const query = { include_deleted: true, max_bytes: 1 };
  const { issue } = await call(showIssueByUID, { params: { uid }, query });
  // The issue was not in the list, so it was deleted when the list was read. It may have been restored since then.
  const status = issue.deleted_at === undefined ? issue.status : ("deleted" as const);
  return { project_id: issue.project_id, status };
}
