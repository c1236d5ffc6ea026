import { expect, test } from "vitest";
import { enableProjectFederation } from "../../src/contract/federation.ts";
import { issueCommented } from "../../src/domain/drafts/issues.ts";
import { describeStore } from "../support/store.ts";
import { type World, world } from "../support/world.ts";

const MIB = 1024 * 1024;

/** Adds comments of 1 MiB each, in one write, so that the texts of the issue are indexed once. */
async function commentOn(w: World, issue_uid: string, count: number): Promise<void> {
  const body = "x".repeat(MIB);
  await w.store.write(async (tx) => {
    const issue = await tx.issues.find(issue_uid);
    if (issue === undefined) throw new Error("it is there");
    const act = { actor: "ann", now: tx.now };
    const drafts = Array.from({ length: count }, () => {
      const comment = { uid: w.ids.ulid(), author: "ann", body };
      return issueCommented(issue, { ...comment, teammate: undefined, mark: undefined }, act);
    });
    await tx.appendAll(drafts);
  });
}

describeStore("an issue with very long comments", (open) => {
  test("of more than 60 MiB is named when its hub is made, and nothing is written", {
    timeout: 300_000,
  }, async () => {
    const w = await world({ store: open });
    const project = await w.given.project();
    const issue = await w.given.issue({ project, title: "too long" });
    await commentOn(w, issue.uid, 61);
    const before = await w.events();
    const refused = await w.refused(enableProjectFederation, { params: project.path });
    expect(refused.code).toBe("validation");
    expect(refused.message).toContain(`issue ${issue.short_id} (${issue.uid})`);
    expect((await w.events()).length).toBe(before.length);
    const binding = await w.store.read(
      async ({ unfolded }) =>
        await unfolded.find("federation_binding", { project_uid: project.uid }),
    );
    expect(binding).toBeUndefined();
  });
});
