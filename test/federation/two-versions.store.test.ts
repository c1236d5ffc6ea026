import { expect, test } from "vitest";
import { createCronJob } from "../../src/contract/cron-jobs.ts";
import { purgeIssue } from "../../src/contract/removal.ts";
import { answer, type Joined, joined } from "../support/replica.ts";
import { describeStore, type OpenTestStore } from "../support/store.ts";
import { bindingOf, rowsOf, statusOf } from "./copies.ts";

const NEWER = "unsupported_event_features";

/** A copy that has read a hub, which then gets a recurring job and purges an issue, so that it needs a new baseline. */
async function changed(open: OpenTestStore) {
  const all = await joined(open, async (hub, project) => {
    for (let made = 0; made < 3; made += 1) await hub.given.issue({ project });
  });
  const { hub, project } = all;
  expect(await all.pull()).toMatchObject({ outcome: "current" });
  const [parent, other] = [await hub.given.issue({ project }), await hub.given.issue({ project })];
  const definition = {
    ...{ version: 1, kind: "job", enabled: true, catchup: "all", overlap: "allow" },
    trigger: { kind: "interval", interval_seconds: 7200 },
    action: { kind: "notify", recipient: "current-owner-or-author" },
    issue: { kind: "per-run", parent_uid: parent.uid, title: "due" },
  };
  const body = { name: "nightly", definition: definition as never };
  await hub.call(createCronJob, { params: project.path, body });
  const headers = { "x-svc-confirm": `PURGE web#${other.short_id}` };
  await hub.call(purgeIssue, { params: other.path, headers });
  return all;
}

/** Everything that a refusal must not change: the copy, its cursor, and whether the hub wrote a baseline. */
async function stateOf({ hub, spoke, project }: Joined) {
  const hubEvents = await hub.store.read(async ({ events }) => await events.lastId());
  return { hubEvents, rows: await rowsOf(spoke), binding: await bindingOf(spoke, project) };
}

async function expectReads(all: Joined): Promise<void> {
  all.server.intercept(undefined);
  expect(await all.pull()).toMatchObject({ outcome: "current" });
  expect(await rowsOf(all.spoke)).toEqual(await rowsOf(all.hub));
}

/** Changes the answers of the hub to requests for `part`. */
function changeAnswers({ server, hub }: Joined, part: string, changes: object): void {
  server.intercept((request, response) => {
    const isPart = request.url?.includes(`/federation/${part}`) === true;
    const change = (text: string) => JSON.stringify({ ...JSON.parse(text), ...changes });
    void answer(hub, request, response, isPart ? change : undefined);
  });
}

describeStore("a copy and a hub of different versions", (open) => {
  test("the hub gives no cursor to an older copy and writes no baseline for it until the copy is upgraded", async () => {
    const all = await changed(open);
    all.server.intercept((request, response) => {
      request.headers["x-svc-event-features"] = "cron_v1";
      void answer(all.hub, request, response);
    });
    const before = await stateOf(all);
    expect(await all.pull()).toMatchObject({ outcome: "failed", code: NEWER });
    expect(await stateOf(all)).toEqual(before);
    expect(await statusOf(all.spoke, all.project)).toMatchObject({ last_error: NEWER });
    await expectReads(all);
  });

  test.each(["events", "metadata"])(
    "a copy that must be rebuilt deletes nothing if the newer hub's %s need a feature that the copy lacks",
    async (part) => {
      const all = await changed(open);
      changeAnswers(all, part, { required_event_features: ["cron_v9"] });
      const before = (await stateOf(all)).rows;
      expect(await all.pull()).toMatchObject({ outcome: "failed", code: NEWER });
      expect((await stateOf(all)).rows).toEqual(before);
      await expectReads(all);
    },
  );

  test("a copy reads a newer hub that sends more fields, and an older hub that sends fewer fields", async () => {
    const all = await changed(open);
    const { hub, project, pull } = all;
    expect(await pull()).toMatchObject({ outcome: "current" });
    for (const changes of [{ added: "later", more: undefined }, { chain: undefined }]) {
      await hub.given.issue({ project });
      changeAnswers(all, "events", changes);
      expect(await pull()).toMatchObject({ outcome: "current", events: 1 });
    }
    await expectReads(all);
  });
});
