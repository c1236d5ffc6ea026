import { expect, test } from "vitest";
import { closeIssue } from "../../../src/contract/actions.ts";
import { createComment } from "../../../src/contract/comments.ts";
import { STALE_MS } from "../../../src/domain/bridges/claim.ts";
import { REQUEST_LABEL, REQUEST_TEXTS } from "../../../src/domain/bridges/lifecycle.ts";
import { reconcile } from "../../../src/ops/bridges/reconcile.ts";
import { claimBridge, TO_THE_END } from "../../../src/ops/bridges/run.ts";
import { Died } from "../../meaning/life.ts";
import { describeStore } from "../../support/store.ts";
import type { OpenStore } from "../../support/world.ts";
import { type Bridged, bridgedWorld, codeOf } from "./bridged.ts";
import { Course } from "./model/course.ts";
import { day } from "./provider.ts";

/** At every how many awaits a run is killed. A run has about 80 awaits, each before and after what it waits for. */
const EVERY =
  process.env["SVC_TEST_POINTS"] === "all"
    ? { sqlite: 1, postgres: 1 }
    : { sqlite: 11, postgres: 37 };

const STATES = ["closed", "open"] as const;
type State = (typeof STATES)[number];

/** A bound issue and its root, of which everything changed. The issue was closed, or else the root was completed. */
async function changed(open: OpenStore, state: State): Promise<Bridged> {
  const b = await bridgedWorld(open);
  b.provider.comment("r", "c1", "before the bind");
  await b.bind({ publish: true });
  await b.map("deadline_on", "due");
  await b.map("scheduled_on", "start");
  b.provider.comment("r", "c2", "imported");
  await b.run();
  b.clock.advance(1000);
  b.provider.edit("r", { title: "New", ...(state === "open" ? { state: "complete" } : {}) });
  b.provider.editComment("r", "c1", { body: "edited after the bind" });
  b.provider.editComment("r", "c2", { body: "imported, edited" });
  b.provider.comment("r", "c3", "new there");
  b.provider.record("r").fields.set("due", day("2026-03-01"));
  await b.w.given.metadata(b.issue, { scheduled_on: "2026-03-02" });
  for (const body of ["first", "second"])
    await b.call(createComment, { params: b.issue.path, body: { body } });
  if (state === "closed")
    await b.call(closeIssue, { params: b.issue.path, body: { source: "tui" } });
  return b;
}

/** Kills a run at an await. Returns whether the run got as far as this. */
async function killed({ bridge, runDeps }: Bridged, at: number): Promise<boolean> {
  const course = new Course(new Map(), at, async () => undefined);
  const claim = await claimBridge(runDeps, (await bridge()).uid, true);
  if (claim === undefined) throw new Error("a run has the bridge");
  await reconcile(course.over(runDeps), claim, TO_THE_END).catch((error: unknown) => {
    if (!(error instanceof Died)) throw error;
  });
  return course.isOver;
}

async function expectEqual(b: Bridged, state: State, where: string): Promise<void> {
  const root = b.provider.record("r");
  const request = `connector:files: ${REQUEST_TEXTS.completion}`;
  expect((await b.comments()).toSorted(), where).toEqual(
    [
      ...["ann: first", "ann: second", "connector:files: edited after the bind"],
      ...["connector:files: imported, edited", "connector:files: new there"],
      ...(state === "open" ? [request] : []),
    ].toSorted(),
  );
  const published = root.comments.filter(({ author }) => author.id === "svc");
  expect(
    published.map(({ body }) => body),
    where,
  ).toEqual(["first", "second"]);
  expect(root.operations.size, where).toBe(2);
  expect(root.state, where).toBe("complete");
  expect(Object.fromEntries(root.fields), where).toEqual({
    due: day("2026-03-01"),
    start: day("2026-03-02"),
  });
  const { title, status, metadata } = await b.shown();
  expect({ title, status, ...metadata }, where).toEqual({
    ...{ title: "New", status: state, deadline_on: "2026-03-01", scheduled_on: "2026-03-02" },
  });
  const labels = await b.store.read(async (reader) => await reader.labels.of(b.issue.uid));
  expect(
    labels.map(({ label }) => label),
    where,
  ).toEqual(state === "open" ? ["mine", REQUEST_LABEL] : ["mine"]);
  const events = (await b.events()).map(({ type, payload }) => `${type} ${actionOf(payload)}`);
  const once = (kind: string) => events.filter((event) => event.startsWith(kind)).length;
  expect(once("issue.external_comment_resolved published"), where).toBe(2);
  expect(once("issue.external_field"), where).toBe(0);
  expect(once("issue.labeled"), where).toBe(state === "open" ? 1 : 0);
}

function actionOf(payload: object): string {
  return "action" in payload ? String(payload.action) : "";
}

describeStore("a run of a bridge that is killed", (open) => {
  const every = EVERY[open.dialect];
  test.each(STATES)(
    `is repeated after five minutes without anything twice, at one of each ${every} awaits, while the issue is %s`,
    { timeout: 600_000 },
    async (state) => {
      let points = 0;
      for (let at = 0; ; at += every) {
        const b = await changed(open, state);
        if (!(await killed(b, at))) break;
        points += 1;
        const where = `killed at await ${at}`;
        b.clock.advance(STALE_MS - 1);
        // A run that was killed after its last commit leaves no claim.
        if ((await b.bridge()).claim_token !== null)
          expect(await codeOf(b.run()), where).toBe("external_root_claim_lost");
        b.clock.advance(1);
        await b.run();
        await expectEqual(b, state, where);
        const before = (await b.events()).length;
        expect(await b.run(), where).toMatchObject({ paused: false, field_conflicts: 0 });
        expect((await b.events()).length, where).toBe(before);
        await b.folded();
      }
      expect(points).toBeGreaterThan(70 / every - 1);
    },
  );
});
