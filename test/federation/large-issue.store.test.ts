import { expect, test } from "vitest";
import { enableProjectFederation } from "../../src/contract/federation.ts";
import { MAX_FEDERATION_PAYLOAD_BYTES } from "../../src/contract/limits.ts";
import { issueCommented } from "../../src/domain/drafts/issues.ts";
import { federationEnabled } from "../../src/domain/drafts/snapshots.ts";
import { openBackend } from "../../src/store/open.ts";
import { deps } from "../archive/targets.ts";
import { describeStore, sqliteDatabase } from "../support/store.ts";
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
  test("the refusal to federate a project names its issue of more than 60 MiB, and nothing is written", {
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

/** How many short ids there are does not depend on the database; the tables of PostgreSQL hold none of 60 MiB. */
test("the list of purged issues and used short ids may take 60 MiB in one event, and not a byte more", {
  timeout: 300_000,
}, async () => {
  const database = await sqliteDatabase();
  const hub = await world({ store: async (how) => await database.open(how) });
  const project = await hub.given.project();
  const backend = await openBackend({ ...deps, ...database.target });
  const connection = await backend.writer();
  const spend = async (characters: number) => {
    await connection.execute(
      `insert or replace into spent_id (project_uid, short_id) values (?, printf('%.*c', ?, 'a'))`,
      [project.uid, characters],
    );
  };
  await spend(MAX_FEDERATION_PAYLOAD_BYTES / 2);
  const bytes = await hub.store.read(async ({ projects, baselines }) => {
    const row = await projects.find(project.uid);
    if (row === undefined) throw new Error("it is there");
    const { payload } = federationEnabled(row, await baselines.spent(project.uid), {
      actor: "ann",
    });
    return JSON.stringify(payload).length;
  });
  // A further id has two quotation marks and a comma.
  const rest = MAX_FEDERATION_PAYLOAD_BYTES - bytes - 3;
  await spend(rest + 1);
  const refused = await hub.refused(enableProjectFederation, { params: project.path });
  expect(refused.code).toBe("validation");
  expect(refused.message).toContain("the list of 0 purged issues and of the short ids");
  await connection.execute(`delete from spent_id where length(short_id) = ?`, [rest + 1]);
  await spend(rest);
  await hub.call(enableProjectFederation, { params: project.path, body: {} });
  await backend.close();
});
