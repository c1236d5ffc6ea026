import { expect, test } from "vitest";
import { showIssueByUID } from "../../src/contract/issues.ts";
import { deleteIssue, purgeIssue } from "../../src/contract/removal.ts";
import { describeStore } from "../support/store.ts";
import { type World, world } from "../support/world.ts";

type GivenIssue = Awaited<ReturnType<World["given"]["issue"]>>;

const refusal = async (w: World, { uid }: Pick<GivenIssue, "uid">) =>
  await w.refused(showIssueByUID, { params: { uid }, query: { include_deleted: true } });

describeStore("the refusal to show an issue by its uid", (open) => {
  test("says that the issue's project is archived, but not the issue's title", async () => {
    const w = await world({ store: open });
    const project = await w.given.project("old");
    const issue = await w.given.issue({ project, title: "a secret" });
    await w.given.archived(project);
    const refused = await refusal(w, issue);
    expect(refused).toMatchObject({
      code: "issue_not_found",
      message: `${issue.qualified_id} is in the project old, which is archived`,
      hint: "svc projects restore old brings it back with its issues",
      data: {
        ref: issue.uid,
        gone: {
          ...{ is: "archived", qualified_id: issue.qualified_id, project: "old" },
          at: w.clock.now(),
        },
      },
    });
    expect(JSON.stringify(refused.data)).not.toContain("a secret");
  });

  test("says who purged the issue and when, but not its title or the reason", async () => {
    const w = await world({ store: open });
    const issue = await w.given.issue({ title: "a secret" });
    const headers = { "x-svc-confirm": `PURGE ${issue.qualified_id}` };
    const body = { reason: "it had a key in it" };
    const { purge_log } = await w.call(purgeIssue, { params: issue.path, headers, body });
    const refused = await refusal(w, { uid: issue.uid.toLowerCase() });
    const { actor: by, purged_at: at, project_name: project } = purge_log;
    expect(refused).toMatchObject({
      code: "issue_not_found",
      message: `${issue.qualified_id} was purged by ${by}`,
      data: { gone: { is: "purged", qualified_id: issue.qualified_id, project, at, by } },
    });
    expect(JSON.stringify(refused)).not.toMatch(/a secret|a key/);
  });

  test("says only that there is no such issue if it never existed, or if it is deleted and not requested", async () => {
    const w = await world({ store: open });
    const issue = await w.given.issue();
    const headers = { "x-svc-confirm": `DELETE ${issue.qualified_id}` };
    await w.call(deleteIssue, { params: issue.path, headers });
    for (const uid of [issue.uid, w.ids.ulid()]) {
      const { data, message } = await w.refused(showIssueByUID, { params: { uid } });
      expect({ data, message }).toEqual({ data: { ref: uid }, message: `no issue ${uid} here` });
    }
  });
});
