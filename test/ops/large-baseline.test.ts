import { expect, onTestFinished, test, vi } from "vitest";
import { NeedsWorker } from "../../src/base/budget.ts";
import { createComment } from "../../src/contract/comments.ts";
import type { EventDraft } from "../../src/contract/events.ts";
import { enableProjectFederation } from "../../src/contract/federation.ts";
import { editIssue } from "../../src/contract/issues.ts";
import { purgeIssue } from "../../src/contract/removal.ts";
import { evolve } from "../../src/domain/evolve/evolve.ts";
import { MemoryState } from "../../src/domain/memory.ts";
import { FoldOrder } from "../../src/domain/order.ts";
import type { Deps, OpStore } from "../../src/ops/deps.ts";
import { beginBaseline, prepareBaseline } from "../../src/ops/federation/baseline.ts";
import { renewBaseline } from "../../src/ops/federation/hub-baseline.ts";
import { PostgresConnection } from "../../src/store/postgres/connection.ts";
import { SqliteConnection } from "../../src/store/sqlite/connection.ts";
import { created, uid } from "../store/drafts.ts";
import { expectFolded } from "../store/fold.ts";
import { describeStore } from "../support/store.ts";
import { type OpenStore, type World, world } from "../support/world.ts";

/** More than one write has room for. */
const ISSUES = 620;

async function large(open: OpenStore) {
  const w = await world({ store: open });
  const project = await w.given.project();
  const uids = Array.from({ length: ISSUES }, (_, at) => uid(1000 + at));
  await w.store.write(
    async (tx) => await tx.appendNewIssues(uids.map((one) => created(project.uid, one))),
  );
  const pathOf = (one: string | undefined) => ({ ...project.path, ref: one ?? "" });
  const binding = async () =>
    await w.store.read(
      async ({ unfolded }) =>
        await unfolded.find("federation_binding", { project_uid: project.uid }),
    );
  const isDue = async ({ unfolded }: Parameters<Parameters<OpStore["read"]>[0]>[0]) =>
    (await unfolded.find("federation_binding", { project_uid: project.uid }))?.enabled !== 1;
  const renew = async (store: Pick<OpStore, "read" | "write">) => {
    const deps: Pick<Deps, "store" | "ids"> = {
      store: { ...w.store, ...store } as OpStore,
      ids: w.ids,
    };
    await renewBaseline(deps, { project_uid: project.uid, actor: "ann", isDue });
  };
  return { w, project, uids, pathOf, binding, renew };
}

/** Calls `between` after each write with the number of writes so far. */
function interrupted(
  { store }: Pick<World, "store">,
  between: (writes: number) => Promise<void>,
): Pick<OpStore, "read" | "write"> {
  let writes = 0;
  return {
    read: async (work, budget) => await store.read(work, budget),
    write: async (work) => {
      const result = await store.write(work);
      writes += 1;
      await between(writes);
      return result;
    },
  };
}

/** The writes of a baseline of two portions: claim, first event, two portions, end. */
const [CLAIMED, BEGUN, HALF] = [1, 2, 3];

describeStore("the baseline of a large project", (open) => {
  test("a large baseline is made by the write worker", async () => {
    const { w, project } = await large(open);
    const deps = { store: w.store, ids: w.ids, smallWorkOnly: true };
    const isDue = async () => true;
    const wanted = { project_uid: project.uid, actor: "ann", isDue };
    await expect(renewBaseline(deps, wanted)).rejects.toBeInstanceOf(NeedsWorker);
  });

  test("a large baseline is written in parts, between which others write, and its reader ends with the same rows", async () => {
    const { w, project, uids, pathOf, binding, renew } = await large(open);
    const last = uids.at(-1);
    const change = async (writes: number) => {
      const params = pathOf(last);
      const headers = { "idempotency-key": `k${writes}` };
      await w.call(editIssue, { params, body: { title: `edited ${writes}` } });
      await w.call(createComment, { params, headers, body: { body: `after ${writes}` } });
      if (writes === HALF)
        await w.call(editIssue, { params: pathOf(uids[1]), body: { title: "second" } });
    };
    await renew(
      interrupted(w, async (writes) => (writes <= HALF ? await change(writes) : undefined)),
    );
    const bound = await binding();
    const horizon = bound?.replay_horizon_event_id ?? 0;
    expect(bound).toMatchObject({ enabled: 1, disabled_reason: null, baseline_claim: null });
    await expectFolded(w.store);

    const log = (await w.events()).filter(({ id }) => id >= horizon);
    const snapshots = log.filter(({ type }) => type === "issue.snapshot");
    expect(snapshots).toHaveLength(ISSUES);
    expect(snapshots.at(-1)?.id).toBe(bound?.baseline_through_event_id);
    const [first] = log;
    expect(first?.type).toBe("project.federation_enabled");
    const shared = (event: (typeof log)[number] | undefined) => [
      event?.hlc_physical_ms,
      event?.hlc_counter,
      event?.created_at,
    ];
    for (const snapshot of snapshots) expect(shared(snapshot)).toEqual(shared(first));
    const title = snapshots.find(({ issue_uid }) => issue_uid === last)?.payload;
    expect(title).toMatchObject({ title: `edited ${CLAIMED}` });

    const replica = new MemoryState();
    const known = await w.store.read(async ({ projects }) => await projects.find(project.uid));
    if (known !== undefined) replica.put("project", { ...known, metadata: {}, revision: 1 });
    for (const event of new FoldOrder(log.slice(0, 1)).sorted(log))
      replica.apply(evolve(replica, event));
    expect(replica.issue(last ?? "")).toMatchObject({ title: `edited ${HALF}` });
    expect(replica.issue(uids[1] ?? "")).toMatchObject({ title: "second" });
    const stored = await w.store.read(async ({ issues }) => await issues.find(last ?? ""));
    expect(replica.issue(last ?? "")).toMatchObject({
      revision: stored?.revision,
      updated_at: stored?.updated_at,
    });
    expect([...replica.rows("comment")]).toHaveLength(HALF);
  });

  test("a large baseline is begun again if something is purged meanwhile, and holds nothing of it", async () => {
    const { w, uids, pathOf, binding, renew } = await large(open);
    const gone = uids.at(-1);
    let purges = 0;
    const store = interrupted(w, async (writes) => {
      if (writes !== HALF) return;
      purges += 1;
      const found = await w.store.read(async ({ issues }) => await issues.find(gone ?? ""));
      const headers = { "x-svc-confirm": `PURGE web#${found?.short_id}` };
      await w.call(purgeIssue, { params: pathOf(gone), headers, body: {} });
    });
    await renew(store);
    expect(purges).toBe(1);
    const events = await w.events();
    expect(events.filter(({ issue_uid }) => issue_uid === gone)).toEqual([]);
    const horizon = (await binding())?.replay_horizon_event_id ?? 0;
    const whole = events.filter(({ id, type }) => id > horizon && type === "issue.snapshot");
    expect(whole).toHaveLength(ISSUES - 1);
    await expectFolded(w.store);
  });

  test.each([BEGUN, HALF])(
    "a large baseline that fails after its write %i leaves the project as it was",
    async (fails) => {
      const { w, project, binding, renew } = await large(open);
      const fault = new Error("no more");
      const store = interrupted(w, async (writes) => {
        if (writes === fails) throw fault;
      });
      await expect(renew(store)).rejects.toBe(fault);
      expect(await binding()).toBeUndefined();
      await expectFolded(w.store);
      const { replay_horizon_event_id: horizon } = await w.call(enableProjectFederation, {
        params: project.path,
      });
      const begun = (await w.events()).findLast(
        ({ type }) => type === "project.federation_enabled",
      );
      expect(horizon).toBe(begun?.id);
    },
  );

  test("a new baseline is refused for two minutes after a killed daemon began one, and is then written", async () => {
    const { w, project, binding, renew } = await large(open);
    const killed = interrupted(w, async (writes) => {
      if (writes === HALF) killed.write = async () => await Promise.reject(new Error("killed"));
    }) as { -readonly [Name in "read" | "write"]: OpStore[Name] };
    await expect(
      renew({ read: killed.read, write: async (work) => await killed.write(work) }),
    ).rejects.toThrow("killed");
    expect(await binding()).toMatchObject({ enabled: 0, disabled_reason: "baseline_unfinished" });
    await expectFolded(w.store);
    const { params } = { params: project.path };
    w.clock.advance(2 * 60_000 - 1);
    expect((await w.refused(enableProjectFederation, { params })).code).toBe("busy");
    w.clock.advance(1);
    await w.call(enableProjectFederation, { params });
    expect(await binding()).toMatchObject({ enabled: 1, disabled_reason: null });
  });

  test("a large baseline is written once for two requests at once, of which one is refused", async () => {
    const { w, project } = await large(open);
    const both = await Promise.allSettled(
      [1, 2].map(async () => await w.call(enableProjectFederation, { params: project.path })),
    );
    expect(both.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
    const [refused] = both.filter((one) => one.status === "rejected");
    expect(String(refused?.reason)).toContain("the baseline of this project is being written");
    const begun = (await w.events()).filter(({ type }) => type === "project.federation_enabled");
    expect(begun).toHaveLength(1);
  });

  test("a baseline of 620 runs reads again, in the write that begins it, only the run that changed meanwhile", async () => {
    const w = await world({ store: open });
    const project = await w.given.project();
    const observed = (at: number, status: "running" | "failed"): EventDraft => {
      const common = { actor: "ann", project_uid: project.uid };
      const times = { created_at: w.clock.now(), updated_at: w.clock.now() };
      const payload = {
        ...common,
        ...times,
        uid: uid(5000 + at),
        status,
        summary: {},
        revision: 1,
      };
      return { ...common, type: "cron.run.observed", payload };
    };
    const all = Array.from({ length: ISSUES }, (_, at) => observed(at, "running"));
    await w.store.write(async (tx) => await tx.appendAll(all));
    const prepared = await prepareBaseline(w, project.uid, "ann");
    await w.store.write(async (tx) => await tx.append(observed(7, "failed")));
    const spies = [SqliteConnection, PostgresConnection].map(({ prototype }) =>
      vi.spyOn(prototype as SqliteConnection, "execute"),
    );
    onTestFinished(() => spies.forEach((spy) => spy.mockRestore()));
    const { snapshots } = await w.store.write(async (tx) => await beginBaseline(tx, prepared));
    const results: readonly { readonly rows: readonly object[] }[] = await Promise.all(
      spies.flatMap((spy) => spy.mock.results.map(async ({ value }) => await value)),
    );
    const runs = results.flatMap(({ rows }) => rows.filter((row) => "summary" in row));
    expect(runs).toHaveLength(1);
    expect(snapshots).toHaveLength(ISSUES);
    const payloads = snapshots.map(({ payload }) => JSON.parse(payload) as { status: string });
    expect(payloads.filter(({ status }) => status === "failed")).toHaveLength(1);
  });
});
