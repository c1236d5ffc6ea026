import { expect, test } from "vitest";
import { assignIssue, closeIssue, setIssuePriority } from "../../src/contract/actions.ts";
import { listHolders, listHoldersGlobal } from "../../src/contract/holders.ts";
import { editIssue } from "../../src/contract/issues.ts";
import {
  acquireIssueLease,
  forceReleaseIssueLease,
  releaseIssueLease,
} from "../../src/contract/leases.ts";
import { HOLDERS_MAX_LIMIT } from "../../src/contract/limits.ts";
import type { RestoreRow } from "../../src/store/admin-store.ts";
import { describeStore } from "../support/store.ts";
import { type World, world } from "../support/world.ts";

const MINUTE = 60_000;

type GivenIssue = Awaited<ReturnType<World["given"]["issue"]>>;

const lease = async (w: World, on: GivenIssue, holder: string, body: object = {}) =>
  await w.call(acquireIssueLease, { params: on.path, body: { actor: holder, ...body } });

const all = async (w: World) => (await w.call(listHoldersGlobal, {})).holders;

/** Returns who holds which issue, by title. */
const pairs = async (w: World) => (await all(w)).map(({ holder, title }) => `${holder} ${title}`);

describeStore("holders", (open) => {
  test("holders are the actors with a lease and the owners of open issues, each once per issue", async () => {
    const w = await world({ store: open });
    const project = await w.given.project();
    const leased = await w.given.issue({ project, title: "leased" });
    const owned = await w.given.issue({ project, title: "owned", owner: "bea" });
    const both = await w.given.issue({ project, title: "both", owner: "cyd" });
    const other = await w.given.issue({ project, title: "other", owner: "dan" });
    await w.given.issue({ project, title: "nobody" });
    await lease(w, leased, "ann");
    await lease(w, both, "cyd");
    await lease(w, other, "eve");
    expect((await pairs(w)).sort()).toEqual([
      "ann leased",
      "bea owned",
      "cyd both",
      "dan other",
      "eve other",
    ]);
    const found = await all(w);
    expect(found.find(({ holder }) => holder === "eve")).toMatchObject({
      project_id: project.id,
      issue_uid: other.uid,
      ref: other.qualified_id,
      owner: "dan",
      lease: { holder: "eve", fence: 1 },
    });
    expect(found.find(({ title }) => title === "leased")).not.toHaveProperty("owner");
    expect(found.find(({ holder }) => holder === "bea")).not.toHaveProperty("lease");
    expect(found.find(({ holder }) => holder === "bea")?.issue_uid).toBe(owned.uid);
  });

  test("holders still include the holder of a lease on a closed issue, and say that it is closed", async () => {
    const w = await world({ store: open });
    const issue = await w.given.issue({ owner: "bea" });
    await lease(w, issue, "bea");
    expect(await all(w)).toMatchObject([{ holder: "bea", status: "open" }]);
    await w.call(closeIssue, { params: issue.path, body: { source: "tui", actor: "bea" } });
    expect(await all(w)).toMatchObject([{ holder: "bea", status: "closed", lease: { fence: 1 } }]);
  });

  test("holders leave out closed, deleted and archived issues, and leases that have ended", async () => {
    const w = await world({ store: open });
    const [project, archived] = [await w.given.project(), await w.given.project("old")];
    const make = async (title: string) => await w.given.issue({ project, title, owner: "bea" });
    const [closed, deleted, released, forced] = [
      await make("closed"),
      await make("deleted"),
      await w.given.issue({ project, title: "released" }),
      await w.given.issue({ project, title: "forced" }),
    ];
    const away = await w.given.issue({ project: archived, title: "archived", owner: "bea" });
    for (const on of [deleted, released, forced, away]) await lease(w, on, "ann");
    await w.call(closeIssue, { params: closed.path, body: { source: "tui" } });
    await w.given.deleted(deleted);
    await w.call(releaseIssueLease, { params: released.path, body: { actor: "ann" } });
    await w.call(forceReleaseIssueLease, { params: forced.path, body: { actor: "bea" } });
    await w.given.archived(archived);
    expect(await pairs(w)).toEqual([]);
  });

  test("holders include an expired lease until it is cleared, with the time of the answer", async () => {
    const w = await world({ store: open });
    const issue = await w.given.issue();
    await lease(w, issue, "ann", { claim_kind: "timed", ttl_seconds: 60 });
    w.clock.advance(2 * MINUTE);
    const { holders, now } = await w.call(listHoldersGlobal, {});
    expect(now).toBe("2026-01-01T00:02:00.000Z");
    expect(holders).toMatchObject([
      { holder: "ann", lease: { expires_at: "2026-01-01T00:01:00.000Z" } },
    ]);
  });

  test("holders are listed with their last activity in any project, those silent for longest first", async () => {
    const w = await world({ store: open });
    const [project, shop] = [await w.given.project(), await w.given.project("shop")];
    await w.given.issue({ project, title: "never heard of", owner: "zoe" });
    await w.given.issue({ project, title: "long ago", owner: "ann", actor: "ann" });
    w.clock.advance(MINUTE);
    const lately = await w.given.issue({ project, title: "lately", owner: "bea", actor: "bea" });
    await w.given.issue({ project: shop, title: "elsewhere", actor: "bea" });
    w.clock.advance(MINUTE);
    const there = await w.given.issue({ project: shop, title: "in the shop", actor: "bea" });
    expect(await pairs(w)).toEqual(["zoe never heard of", "ann long ago", "bea lately"]);
    const [zoe, ann, bea] = await all(w);
    expect(zoe).not.toHaveProperty("last_event");
    expect(ann?.last_event).toMatchObject({
      type: "issue.created",
      created_at: "2026-01-01T00:00:00.000Z",
    });
    expect(bea).toMatchObject({
      issue_uid: lately.uid,
      last_event: { created_at: "2026-01-01T00:02:00.000Z", issue_uid: there.uid },
    });
  });

  test("each holder has a start time: the start of the lease, or the change that set the owner", async () => {
    const w = await world({ store: open });
    const project = await w.given.project();
    const [made, assigned, edited, leased] = [
      await w.given.issue({ project, title: "made", owner: "bea" }),
      await w.given.issue({ project, title: "assigned" }),
      await w.given.issue({ project, title: "edited" }),
      await w.given.issue({ project, title: "leased", owner: "ann" }),
    ];
    w.clock.advance(MINUTE);
    await w.call(assignIssue, { params: assigned.path, body: { owner: "cyd" } });
    w.clock.advance(MINUTE);
    await w.call(editIssue, { params: edited.path, body: { owner: "dan" } });
    w.clock.advance(MINUTE);
    await lease(w, leased, "ann");
    w.clock.advance(MINUTE);
    for (const { path: params } of [made, assigned, edited])
      await w.call(editIssue, { params, body: { body: 'an "owner": of words' } });
    await w.call(setIssuePriority, { params: made.path, body: { priority: 1 } });
    const since = Object.fromEntries((await all(w)).map((row) => [row.title, row.since]));
    expect(since).toEqual({
      made: "2026-01-01T00:00:00.000Z",
      assigned: "2026-01-01T00:01:00.000Z",
      edited: "2026-01-01T00:02:00.000Z",
      leased: "2026-01-01T00:03:00.000Z",
    });
  });

  test("a holder has no start time if a restore left out the log with the change of owner", async () => {
    const w = await world({ store: open });
    await w.given.issue({ title: "owned", owner: "bea" });
    const other = await world({ store: open });
    const snapshot = await w.store.openSnapshot();
    async function* rows(): AsyncGenerator<RestoreRow> {
      for await (const row of snapshot.rows("project")) yield { table: "project", row };
      for await (const row of snapshot.rows("issue")) yield { table: "issue", row };
    }
    await other.store.restore(rows(), { renumber: false });
    await snapshot.close();
    const [found] = await all(other);
    expect(found).toMatchObject({ holder: "bea", title: "owned" });
    expect(found).not.toHaveProperty("since");
  });

  test("holders that are equally silent are ordered by the start of their lease or ownership, then by its place in the log", async () => {
    const w = await world({ store: open });
    const project = await w.given.project();
    const titles = ["c", "a", "b", "e", "d"];
    for (const title of titles) await w.given.issue({ project, title, owner: "bea" });
    expect(await pairs(w)).toEqual(titles.map((title) => `bea ${title}`));
    const leased = [];
    for (const title of ["z", "y", "x"]) leased.push(await w.given.issue({ project, title }));
    for (const on of leased) await lease(w, on, "ann");
    expect((await pairs(w)).filter((pair) => pair.startsWith("ann"))).toEqual([
      "ann z",
      "ann y",
      "ann x",
    ]);
  });

  test("holders of one project include only holders of its issues", async () => {
    const w = await world({ store: open });
    const [project, shop] = [await w.given.project(), await w.given.project("shop")];
    await w.given.issue({ project, title: "here", owner: "ann" });
    const there = await w.given.issue({ project: shop, title: "there", owner: "bea" });
    await w.given.issue({ project: shop, title: "also there", owner: "ann" });
    await lease(w, there, "cyd");
    const { holders } = await w.call(listHolders, { params: shop.path });
    expect(holders.map(({ holder, title }) => `${holder} ${title}`).sort()).toEqual([
      "ann also there",
      "bea there",
      "cyd there",
    ]);
    const { holders: rest } = await w.call(listHolders, { params: project.path });
    expect(rest.map(({ title }) => title)).toEqual(["here"]);
  });

  test("a limited list of holders has those silent for longest, and the answer says when there are more", async () => {
    const w = await world({ store: open });
    const project = await w.given.project();
    for (const holder of ["ann", "bea", "cyd"]) {
      await w.given.issue({ project, title: `of ${holder}`, owner: holder, actor: holder });
      await w.given.issue({ project, title: `also of ${holder}`, owner: holder, actor: holder });
    }
    const few = async (limit: number) => await w.call(listHoldersGlobal, { query: { limit } });
    const three = await few(3);
    expect(three.holders.map(({ holder }) => holder)).toEqual(["ann", "ann", "bea"]);
    expect(three.truncated).toBe(true);
    expect(await few(5)).toMatchObject({ truncated: true });
    expect(await few(6)).toMatchObject({ truncated: false });
    expect(await few(HOLDERS_MAX_LIMIT + 1)).toMatchObject({ truncated: false });
    const refused = await w.refused(listHoldersGlobal, { query: { limit: 0 } });
    expect(refused.code).toBe("validation");
  });

  test("a limited list of holders has the one silent for longest, even if their lease is the newest", async () => {
    const w = await world({ store: open });
    const project = await w.given.project();
    const make = async (title: string) => await w.given.issue({ project, title, actor: "zoe" });
    const [busy, alsoBusy, quiet] = [await make("busy"), await make("also busy"), await make("q")];
    await lease(w, busy, "ann");
    await lease(w, alsoBusy, "ann");
    w.clock.advance(MINUTE);
    await lease(w, quiet, "bea");
    w.clock.advance(MINUTE);
    await w.call(setIssuePriority, { params: busy.path, body: { priority: 1, actor: "ann" } });
    const { holders, truncated } = await w.call(listHoldersGlobal, { query: { limit: 1 } });
    expect(holders.map(({ holder }) => holder)).toEqual(["bea"]);
    expect(truncated).toBe(true);
  });

  test("holders of a missing project are refused", async () => {
    const w = await world({ store: open });
    const refused = await w.refused(listHolders, { params: { project_id: 9 } });
    expect(refused.code).toBe("project_not_found");
  });
});
