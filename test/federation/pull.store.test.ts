import { expect, test } from "vitest";
import { createCronJob } from "../../src/contract/cron-jobs.ts";
import { revokeFederationEnrollment } from "../../src/contract/federation.ts";
import { renameProject } from "../../src/contract/projects.ts";
import { purgeIssue } from "../../src/contract/removal.ts";
import { R as NATIVE } from "../domain/cron/bases.ts";
import { created, uid } from "../store/drafts.ts";
import { FakeClock } from "../support/clock.ts";
import { answer, joined, pullOf, spokeOf } from "../support/replica.ts";
import { describeStore } from "../support/store.ts";
import { bindingOf, expectClean, rowsOf, statusOf } from "./copies.ts";

const DAY_MS = 24 * 3_600_000;

describeStore("a copy of a hub's project", (open) => {
  test("has the baseline after its first pass, and then every change, comment, link and job", async () => {
    const { hub, spoke, project, pull } = await joined(open, async (w, of) => {
      const issue = await w.given.issue({ project: of, title: "before", labels: ["old"] });
      await w.given.comment({ on: issue });
      await w.given.closed(await w.given.issue({ project: of, title: "done" }));
    });
    expect(await pull()).toMatchObject({ outcome: "current", pages: 1 });
    expect(await rowsOf(spoke)).toEqual(await rowsOf(hub));
    hub.clock.advance(1000);
    const [one, two] = [
      await hub.given.issue({ project, title: "one" }),
      await hub.given.issue({ project, title: "two" }),
    ];
    await hub.given.link(one, "blocks", two);
    await hub.given.link(two, "parent", one);
    await hub.given.comment({ on: one, body: "later" });
    await hub.given.metadata(one, { "x.y": 1.5 });
    await hub.given.closed(two);
    const definition = { ...NATIVE, issue: { ...NATIVE.issue, parent_uid: one.uid } };
    const body = { name: "nightly", definition: definition as never };
    await hub.call(createCronJob, { params: project.path, body });
    expect(await pull()).toMatchObject({ outcome: "current" });
    expect(await rowsOf(spoke)).toEqual(await rowsOf(hub));
    await expectClean(spoke);
    expect(await statusOf(spoke, project)).toMatchObject({
      last_pull_success_at: hub.clock.now(),
      last_error: null,
    });
    expect(await pull()).toMatchObject({ outcome: "current", events: 0 });
  });

  test("is kept up to date by a daemon whose clock is a year behind, also after the hub wrote nothing for days", async () => {
    const { hub, server, project } = await joined(open);
    const clock = new FakeClock(hub.clock.now());
    hub.clock.advance(365 * DAY_MS);
    await hub.given.issue({ project, title: "a year later" });
    const { spoke } = await spokeOf(open, { hub, server, project }, { start: 40_000, clock });
    expect(await pullOf(spoke, project)).toMatchObject({ outcome: "current" });
    hub.clock.advance(3 * DAY_MS);
    await hub.given.issue({ project, title: "after three days" });
    expect(await pullOf(spoke, project)).toMatchObject({ outcome: "current", events: 1 });
    expect(await rowsOf(spoke)).toEqual(await rowsOf(hub));
    await expectClean(spoke);
  });

  test("keeps its name and is read on when the hub's project is renamed", async () => {
    const { hub, spoke, project, pull } = await joined(open);
    await pull();
    await hub.call(renameProject, { params: project.path, body: { name: "site" } });
    await hub.given.issue({ project, title: "after" });
    expect(await pull()).toMatchObject({ outcome: "current", events: 1 });
    const names = await spoke.store.read(
      async ({ projects }) => (await projects.find(project.uid))?.name,
    );
    expect(names).toBe("web");
  });

  test("is read in pages of a thousand events, and a page is kept if the next one fails", async () => {
    const { hub, spoke, server, project, pull } = await joined(open);
    const before = await hub.events();
    const issues = Array.from({ length: 1500 }, (_, n) => created(project.uid, uid(n + 1)));
    await hub.store.write(async (tx) => await tx.appendNewIssues(issues));
    server.intercept((request, response) => {
      void answer(hub, request, response);
      server.intercept((_request, late) => void late.writeHead(503, { "retry-after": "7" }).end());
    });
    expect(await pull()).toEqual({
      outcome: "failed",
      code: "hub_unavailable",
      retryAfterMs: 7000,
    });
    const half = (await bindingOf(spoke, project))?.pull_cursor_event_id ?? 0;
    expect(half).toBeGreaterThan(before.length);
    expect(await statusOf(spoke, project)).toMatchObject({ last_error: "hub_unavailable" });
    server.intercept(undefined);
    expect(await pull()).toMatchObject({ outcome: "current", pages: 1 });
    expect(await statusOf(spoke, project)).toMatchObject({ last_error: null });
    expect(server.connections()).toBe(2);
  });

  test("is rebuilt when the hub has purged an issue that it had read, and its own readers must start again", async () => {
    const { hub, spoke, project, pull } = await joined(open);
    const secret = await hub.given.issue({ project, title: "a secret" });
    const kept = await hub.given.issue({ project, title: "kept" });
    await hub.given.link(kept, "blocks", secret);
    await pull();
    const local = await spoke.given.project("local");
    const other = await spoke.given.issue({ project: local, title: "here" });
    const last = (await spoke.events()).at(-1)?.id ?? 0;
    const headers = { "x-svc-confirm": `PURGE web#${secret.short_id}` };
    await hub.call(purgeIssue, { params: secret.path, body: {}, headers });
    hub.clock.advance(1000);
    expect(await pull()).toMatchObject({ outcome: "current" });
    expect(await rowsOf(hub)).toEqual({ ...(await rowsOf(spoke)), issue: expect.anything() });
    const titles = (await spoke.events()).flatMap(({ payload }) =>
      "title" in payload ? [payload.title] : [],
    );
    expect(titles).toEqual(["here", "kept"]);
    const reset = await spoke.store.read(
      async ({ events }) => await events.resetAfter([project.uid]),
    );
    expect(reset).toBeGreaterThan(last);
    expect(await spoke.store.read(async ({ events }) => await events.resetAfter([local.uid]))).toBe(
      0,
    );
    expect((await statusOf(spoke, project))?.last_reset_at).toBe(hub.clock.now());
    expect(
      await spoke.store.read(async ({ issues }) => (await issues.find(other.uid))?.title),
    ).toBe("here");
    await expectClean(spoke);
  });

  test("stays as it is while the project is archived on the hub", async () => {
    const { hub, spoke, project, pull } = await joined(open);
    await hub.given.issue({ project, title: "kept" });
    await pull();
    const before = await rowsOf(spoke);
    await hub.given.archived(project);
    expect(await pull()).toMatchObject({ outcome: "failed", code: "project_not_found" });
    expect(await rowsOf(spoke)).toEqual(before);
  });

  test("stays as it is when its enrollment is revoked, and is read on with a new enrollment", async () => {
    const { hub, server, project } = await joined(open);
    const { spoke, enrollment, enroll } = await spokeOf(
      open,
      { hub, server, project },
      { start: 30_000 },
    );
    await pullOf(spoke, project);
    await hub.call(revokeFederationEnrollment, { params: { enrollment_id: enrollment.id } });
    await hub.given.issue({ project, title: "later" });
    expect(await pullOf(spoke, project)).toMatchObject({ outcome: "failed", code: "auth_invalid" });
    await enroll();
    expect(await pullOf(spoke, project)).toMatchObject({ outcome: "current", events: 1 });
    expect(await rowsOf(spoke)).toEqual(await rowsOf(hub));
  });

  test("is no longer read once the hub finds that another copy has read in its place", async () => {
    const { hub, spoke, project, pull } = await joined(open);
    await pull();
    const copied = await bindingOf(spoke, project);
    await pull();
    await pull();
    // As a database that was restored from a backup: it knows an old stamp.
    await spoke.store.write(async (tx) => {
      if (copied !== undefined) await tx.unfolded.put("federation_binding", copied);
    });
    await hub.given.issue({ project, title: "later" });
    expect(await pull()).toEqual({ outcome: "gone" });
    expect(await bindingOf(spoke, project)).toMatchObject({
      enabled: 0,
      disabled_reason: "federation_replica_stale",
    });
    expect(await statusOf(spoke, project)).toMatchObject({
      last_error: "federation_replica_stale",
    });
    expect(await pull()).toEqual({ outcome: "gone" });
  });
});
