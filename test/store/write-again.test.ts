import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { editIssue, showIssue } from "../../src/contract/issues.ts";
import { SENT_KINDS } from "../../src/domain/federation/wire.ts";
import { RandomRun } from "../support/random-run.ts";
import { type Step, step } from "../support/random-steps.ts";
import { describeStore } from "../support/store.ts";
import { type World, world } from "../support/world.ts";
import { expectFolded } from "./fold.ts";

const SENT: ReadonlySet<string> = new Set(SENT_KINDS);

/** A project in which something of this kind happened is not written anew (`federation_rejoin_unsent`). */
const REFUSED: ReadonlySet<Step["act"]> = new Set([
  ...(["move", "merge", "rewrite", "sleepingSeries", "beginSeries"] as const),
]);

function stepsOf(seed: number, count: number): readonly Step[] {
  return fc.sample(
    step.filter(({ act }) => !REFUSED.has(act)),
    { seed, numRuns: count },
  );
}

async function writeAgain({ store }: World, project_uid: string): Promise<number> {
  return await store.write(async (tx) => await tx.writeAgain(project_uid, "sam"));
}

describeStore("events that are written again for a hub", (open) => {
  test("events written again have one actor, keep their order and their writers, and change no text", async () => {
    const w = await world({ store: open });
    const issue = await w.given.issue({ title: "first", labels: ["bug"] });
    await w.given.comment({ on: issue, author: "bea", body: "seen" });
    await w.call(editIssue, { params: issue.path, body: { title: "second", actor: "cyd" } });
    const shown = async () => await w.call(showIssue, { params: issue.path });
    const before = await shown();
    const kinds = await w.eventKinds();
    const count = kinds.length;
    expect(await writeAgain(w, issue.project_uid ?? "")).toBe(count);
    expect(await w.eventKinds()).toEqual(kinds);
    const events = (await w.events()).slice(-count);
    expect(events.map(({ actor }) => actor)).toEqual(new Array(count).fill("sam"));
    expect(events.at(-1)).toMatchObject({ type: "issue.updated", local_actor: "cyd" });
    const after = await shown();
    expect(after.issue).toMatchObject({ title: "second", author: "sam", short_id: issue.short_id });
    expect(after.comments.map(({ author, body }) => [author, body])).toEqual([["sam", "seen"]]);
    expect(after.issue.labels).toEqual(before.issue.labels);
    await expectFolded(w.store);
  });

  test("events written again replace the old events, and other projects keep their events", async () => {
    const w = await world({ store: open });
    const issue = await w.given.issue();
    const other = await w.given.issue({ project: await w.given.project("other") });
    await writeAgain(w, issue.project_uid ?? "");
    const of = (uid: string) => async () =>
      (await w.events()).filter(({ issue_uid }) => issue_uid === uid);
    const [own, foreign] = [await of(issue.uid)(), await of(other.uid)()];
    expect(own.map(({ actor }) => actor)).toEqual(["sam"]);
    expect(foreign.map(({ actor }) => actor)).not.toContain("sam");
  });

  test("events written again make readers start again, and nothing is written for a project without events", async () => {
    const w = await world({ store: open });
    const issue = await w.given.issue();
    const project = issue.project_uid ?? "";
    const reset = async () =>
      await w.store.read(async ({ events }) => await events.resetAfter([project]));
    await writeAgain(w, project);
    const first = await reset();
    expect(first).toBeGreaterThan(0);
    const empty = await w.given.project("empty");
    expect(await writeAgain(w, empty.uid)).toBe(0);
  });

  describe("after random steps", () => {
    test.each([1, 2, 3])(
      "the rows are those that the log says, with steps of seed %i",
      async (seed) => {
        const w = await world({ store: open });
        const run = await RandomRun.begin(w);
        await run.steps(stepsOf(seed, 150));
        const projects = await w.store.read(async (reader) => await reader.projects.list(true));
        for (const { uid } of projects.slice(0, 2)) {
          await writeAgain(w, uid);
          await expectFolded(w.store);
          const left = (await w.events()).filter(
            ({ type, actor, project_uid, feed_uid = project_uid }) =>
              SENT.has(type) && feed_uid === uid && actor !== "sam",
          );
          expect(left).toEqual([]);
        }
        await run.steps(stepsOf(seed + 50, 30));
        await expectFolded(w.store);
      },
      120_000,
    );
  });
});
