import { expect, test } from "vitest";
import { getProjectFederationStatus } from "../../src/contract/federation-status.ts";
import { purgeIssue } from "../../src/contract/removal.ts";
import { databaseChecks } from "../../src/engines/checks/all.ts";
import { created, uid } from "../store/drafts.ts";
import { poll } from "../support/federated.ts";
import { answer, type Joined } from "../support/replica.ts";
import { describeStore } from "../support/store.ts";
import type { World } from "../support/world.ts";
import { tamperable } from "./tampered.ts";

const DAY_MS = 24 * 3_600_000;

type Copy = Pick<Joined, "spoke" | "project">;

async function comparisonOf({ spoke, project }: Copy) {
  const found = await spoke.store.read(async ({ projects }) => await projects.find(project.uid));
  const params = { project_id: found?.id ?? 0 };
  return (await spoke.call(getProjectFederationStatus, { params })).statuses[0]?.comparison;
}

async function rowOf({ store }: Pick<World, "store">, { project }: Pick<Joined, "project">) {
  const key = { project_uid: project.uid };
  return await store.read(async ({ unfolded }) => await unfolded.find("federation_digest", key));
}

async function doctorOf({ store }: Pick<World, "store">) {
  const check = databaseChecks().find(({ id }) => id === "storage.federation");
  return await store.read(async (reader) => await check?.look(reader));
}

/** Adds so many issues to the project on the hub, with uids from `first` on. */
async function fill(
  { hub, project }: Pick<Joined, "hub" | "project">,
  first: number,
  count: number,
) {
  const drafts = Array.from({ length: count }, (_, n) => created(project.uid, uid(first + n)));
  await hub.store.write(async (tx) => await tx.appendNewIssues(drafts));
}

/** What the hub answers at the end of its log. */
async function lastPage({ hub, project, enrollment }: Joined) {
  const { token, spoke_instance_uid } = enrollment;
  const headers = { "x-svc-instance": spoke_instance_uid };
  const after_id = await hub.store.read(async ({ events }) => await events.lastId());
  return (await poll(hub, project.id, { token, after_id, headers })).body;
}

describeStore("the digest of a hub", (open) => {
  test("is equal to the digest of its copy after each pass, however many events the pass brought", async () => {
    const it = await tamperable(open);
    const { hub, spoke, project, pull } = it;
    expect(await comparisonOf(it)).toEqual({ state: "unknown" });
    let first = 1;
    for (const count of [0, 3, 150, 60, 700, 1, 260]) {
      await fill(it, first, count);
      first += count;
      expect(await pull()).toMatchObject({ outcome: "current" });
      const through_event_id = await hub.store.read(async ({ events }) => await events.lastId());
      const compared = { compared_at: hub.clock.now(), unequal_passes: 0 };
      expect(await comparisonOf(it)).toEqual({ state: "equal", through_event_id, ...compared });
    }
    const [ofHub, ofCopy] = [await rowOf(hub, it), await rowOf(spoke, it)];
    expect(ofHub?.event_count).toBeGreaterThan(900);
    // The baseline has one event besides, and the copy was counted to the end.
    expect(ofCopy?.event_count).toBe(1 + first - 1);
    expect((await doctorOf(spoke))?.status).toBe("ok");
    expect(project.uid).toBe(ofCopy?.project_uid);
  });

  test("names its first and last event, the number and the sum of the events, and the fold version", async () => {
    const it = await tamperable(open);
    await fill(it, 1, 5);
    await it.pull();
    const { digest, next_after_id } = await lastPage(it);
    expect(digest).toEqual({
      from: (await rowOf(it.spoke, it))?.from_event_id,
      through: next_after_id,
      count: 6,
      sum: expect.stringMatching(/^[0-9a-f]{64}$/),
      fold_version: 1,
    });
  });

  test("is sent only with the last page of the log", async () => {
    const it = await tamperable(open);
    await fill(it, 1, 5);
    await it.pull();
    const { token, spoke_instance_uid } = it.enrollment;
    const headers = { "x-svc-instance": spoke_instance_uid };
    const asked = { token, after_id: 0, limit: 2, headers };
    expect((await poll(it.hub, it.project.id, asked)).body).not.toHaveProperty("digest");
  });

  test("is missing until the hub has counted a long log, of which each poll counts 5,000 events", async () => {
    const it = await tamperable(open);
    await it.pull();
    for (let at = 0; at < 7; at += 1) await fill(it, 1 + at * 1000, 1000);
    expect(await lastPage(it)).not.toHaveProperty("digest");
    expect((await rowOf(it.hub, it))?.event_count).toBe(5000);
    expect(await lastPage(it)).toMatchObject({ digest: { count: 7001 } });
  });

  test("stays equal to the copy's digest when the hub purges an issue and the copy is rebuilt", async () => {
    const it = await tamperable(open);
    const { hub, project, pull } = it;
    await fill(it, 1, 300);
    const gone = await hub.given.issue({ project, title: "gone" });
    await pull();
    await hub.call(purgeIssue, {
      params: gone.path,
      headers: { "x-svc-confirm": `PURGE ${gone.qualified_id}` },
    });
    expect(await pull()).toMatchObject({ outcome: "current" });
    expect(await comparisonOf(it)).toMatchObject({ state: "equal", unequal_passes: 0 });
    expect((await rowOf(it.spoke, it))?.event_count).toBe(301);
  });

  test("is equal to the copy's digest before and after the copy sends its changes", async () => {
    const it = await tamperable(open, undefined, { push: true });
    const { spoke, project, pull } = it;
    await pull();
    const found = await spoke.store.read(async ({ projects }) => await projects.find(project.uid));
    if (found === undefined) throw new Error("the copy has the project");
    const issue = await spoke.given.issue({ project: { ...project, ...found }, title: "here" });
    expect(await comparisonOf(it)).toMatchObject({ state: "equal" });
    await pull();
    await spoke.given.comment({ on: issue, body: "more" });
    await pull();
    expect(await comparisonOf(it)).toMatchObject({ state: "equal", unequal_passes: 0 });
    expect((await lastPage(it)).digest?.count).toBe(3);
  });
});

describeStore("a copy that lacks an event of its hub", (open) => {
  const LOST =
    "delete from event where uid = (select max(uid) from event where type = 'issue.created')";

  test("is reported by doctor once three passes in a row have found the difference, and is read on", async () => {
    const it = await tamperable(open);
    const { hub, spoke, project, pull } = it;
    await fill(it, 1, 5);
    await pull();
    await it.tamperSpoke(LOST);
    for (const unequal_passes of [1, 2]) {
      expect(await pull()).toMatchObject({ outcome: "current" });
      expect(await comparisonOf(it)).toMatchObject({ state: "different", unequal_passes });
      expect((await doctorOf(spoke))?.status).toBe("ok");
    }
    await hub.given.issue({ project, title: "later" });
    expect(await pull()).toMatchObject({ outcome: "current", events: 1 });
    expect(await comparisonOf(it)).toMatchObject({ state: "different", unequal_passes: 3 });
    const found = await doctorOf(spoke);
    expect(found?.status).toBe("warning");
    expect(found?.summary).toMatch(
      /^the copy of web does not have the events that its hub has up to \d+: 3 comparisons/,
    );
    expect(found?.fix).toContain("svc federation verify web");
  });

  test("is found within a day if the event was counted before it was lost", async () => {
    const it = await tamperable(open);
    const { hub, pull } = it;
    await fill(it, 1, 300);
    await pull();
    await it.tamperSpoke(LOST);
    await pull();
    expect(await comparisonOf(it)).toMatchObject({ state: "equal" });
    hub.clock.advance(DAY_MS);
    await pull();
    expect(await comparisonOf(it)).toMatchObject({ state: "different", unequal_passes: 1 });
  });

  test("is called neither equal nor different if the hub gives no digest", async () => {
    const it = await tamperable(open);
    const { hub, server, pull } = it;
    await fill(it, 1, 5);
    server.intercept((request, response) => {
      const without = (text: string): string => {
        const { digest: _, ...page } = JSON.parse(text) as { digest?: object };
        return JSON.stringify(page);
      };
      void answer(hub, request, response, without);
    });
    expect(await pull()).toMatchObject({ outcome: "current" });
    await it.tamperSpoke(LOST);
    expect(await pull()).toMatchObject({ outcome: "current" });
    expect(await comparisonOf(it)).toEqual({ state: "unknown" });
  });
});
