import { expect, test } from "vitest";
import type { Payload } from "../../src/contract/events.ts";
import type { AdminStore } from "../../src/store/admin-store.ts";
import { describeStore } from "../support/store.ts";
import {
  created,
  edited,
  linksChanged,
  projectCreated,
  projectRemoved,
  T0,
  uid,
} from "./drafts.ts";
import { expectFolded } from "./fold.ts";
import { admitAs, asSpoke, BEGIN_MS, baseline, ForeignEvents } from "./foreign-events.ts";
import { P, Q } from "./random-events.ts";

/** The daemon of another hub. */
const OTHER = { origin_instance_uid: uid(902) };
const [A, B, C, D, E] = [uid(11), uid(12), uid(13), uid(14), uid(15)];

async function given(open: () => Promise<AdminStore>) {
  const store = await open();
  const pull = await asSpoke(store);
  await pull(...[A, B, C].map((issue) => created(P, issue)));
  return { store, pull };
}

/** A baseline that lists purged issues, and a snapshot of each issue that is left, without links. */
function afterPurge(purged_uids: string[], left: readonly string[]) {
  const first = baseline(P);
  return [
    { ...first, payload: { ...first.payload, purged_uids } },
    ...left.map((issue_uid) => {
      const payload: Payload<"issue.snapshot"> = {
        ...{ uid: issue_uid, short_id: issue_uid.slice(-6).toLowerCase(), title: "kept", body: "" },
        ...{ author: "ann", status: "open", metadata: {}, revision: 1 },
        ...{ created_at: T0, updated_at: T0 },
      };
      return { type: "issue.snapshot" as const, actor: "ann", project_uid: P, issue_uid, payload };
    }),
  ];
}

const issueOf = async (store: AdminStore, issue: string) =>
  await store.read(async ({ issues }) => await issues.find(issue));
const parentOf = async (store: AdminStore, issue: string) =>
  (await store.read(async ({ links }) => await links.parentOf(issue)))?.to_uid;

describeStore("a baseline that lists purged issues", (open) => {
  test("purges the listed issues that are still here, with their events, and nothing brings these issues back", async () => {
    const { store, pull } = await given(open);
    await pull(edited(P, A, { title: "secret" }), linksChanged(P, A, { blocks_added_uids: [B] }));
    expect((await issueOf(store, B))?.open_blockers).toBe(1);
    await pull(...afterPurge([A], [B, C]));
    expect(await issueOf(store, A)).toBeUndefined();
    expect((await issueOf(store, B))?.open_blockers).toBe(0);
    const events = await store.read(async (reader) => await reader.past.ofIssues([A], 1000));
    expect(events).toEqual([]);
    expect(await pull(edited(P, A, { title: "again" }), created(P, A))).toMatchObject({
      accepted: 0,
      dropped: 2,
    });
    expect(await issueOf(store, A)).toBeUndefined();
    await expectFolded(store);
  });

  test("leaves a child of a purged issue without a parent, as on the hub", async () => {
    const { store, pull } = await given(open);
    await pull(
      linksChanged(P, B, { parent_set_uid: C }),
      linksChanged(P, B, { parent_set_uid: A }),
    );
    expect(await parentOf(store, B)).toBe(A);
    await pull(...afterPurge([A], [B, C]));
    expect(await parentOf(store, B)).toBeUndefined();
    await pull(linksChanged(P, B, { parent_set_uid: C }));
    expect(await parentOf(store, B)).toBe(C);
    await expectFolded(store);
  });

  test("keeps out a listed issue that was never here, and links to this issue", async () => {
    const { store, pull } = await given(open);
    await pull(...afterPurge([D], [A, B, C]));
    const page = [created(P, D), linksChanged(P, A, { blocks_added_uids: [D] })];
    expect(await pull(...page)).toMatchObject({ accepted: 1, dropped: 1 });
    expect(await store.read(async ({ links }) => await links.touching([A]))).toEqual([]);
    await expectFolded(store);
  });

  test("does not purge an issue of another project", async () => {
    const { store, pull } = await given(open);
    await store.write(async (tx) => {
      await tx.append(projectCreated(Q, "api"));
      await tx.append(created(Q, D));
    });
    await pull(...afterPurge([D], [A, B, C]));
    expect(await issueOf(store, D)).toBeDefined();
  });

  test("keeps out neither an issue of another project that arrives later nor links to this issue", async () => {
    const { store, pull } = await given(open);
    await store.write(async (tx) => await tx.append(projectCreated(Q, "api")));
    await pull(linksChanged(P, B, { blocks_added_uids: [D] }));
    await pull(...afterPurge([D], []));
    await pull(linksChanged(P, A, { blocks_added_uids: [D] }));
    const made = new ForeignEvents(8000);
    const at = (ms: number) => ({ hlc_physical_ms: BEGIN_MS + 1000 + ms, hub_event_id: ms });
    const events = [baseline(Q), created(Q, D), edited(Q, D, { title: "theirs" })];
    const page = events.map((draft, n) => made.next(draft, { ...at(n + 1), ...OTHER }));
    expect(await admitAs(store, { fromHub: true, ownUpTo: 0 }, ...page)).toMatchObject({
      accepted: 3,
      dropped: 0,
    });
    expect(await issueOf(store, D)).toMatchObject({ title: "theirs", open_blockers: 2 });
    await expectFolded(store);
    await pull(...afterPurge([D], [A]));
    expect(await issueOf(store, D)).toBeDefined();
  });

  test("keeps out an issue of another project if the baseline of that project lists the issue too", async () => {
    const { store, pull } = await given(open);
    await store.write(async (tx) => await tx.append(projectCreated(Q, "api")));
    await pull(...afterPurge([D], []));
    const made = new ForeignEvents(8000);
    const first = baseline(Q);
    const events = [{ ...first, payload: { ...first.payload, purged_uids: [D] } }, created(Q, D)];
    const page = events.map((draft, n) =>
      made.next(draft, { hlc_physical_ms: BEGIN_MS + n, hub_event_id: n + 1, ...OTHER }),
    );
    expect(await admitAs(store, { fromHub: true, ownUpTo: 0 }, ...page)).toMatchObject({
      accepted: 1,
      dropped: 1,
    });
    await expectFolded(store);
  });

  test.each([
    ["an issue that was purged here from another project", true],
    ["the issues of another project that was purged here", false],
  ])("does not bring back %s, even if the copy is rebuilt", async (_, isIssue) => {
    const { store, pull } = await given(open);
    await store.write(async (tx) => {
      await tx.append(projectCreated(Q, "api"));
      await tx.append(created(Q, D));
      if (!isIssue) await tx.append(projectRemoved(Q));
    });
    const by = { actor: "ann", reason: null };
    await store.write(async (tx) => {
      const [issue, project] = [await tx.issues.find(D), await tx.projects.find(Q)];
      if (isIssue && issue !== undefined) await tx.purgeIssue(issue, by);
      if (!isIssue && project !== undefined) await tx.purgeProject(project, by);
    });
    await pull(...afterPurge([D], [A]));
    await store.write(async (tx) => await tx.clearReplica(P, { sentUpTo: 0 }));
    expect(await pull(created(P, D))).toMatchObject({ accepted: 0, dropped: 1 });
    expect(await issueOf(store, D)).toBeUndefined();
  });

  test.each([
    ["because the copy begins anew", true],
    ["because its project joins again", false],
  ])("shows links of other projects to an issue that comes back %s", async (_, isReset) => {
    const { store, pull } = await given(open);
    await store.write(async (tx) => {
      await tx.append(projectCreated(Q, "api"));
      for (const issue of [D, E]) await tx.append(created(Q, issue));
      await tx.append(linksChanged(Q, D, { blocks_added_uids: [A, B] }));
    });
    if (isReset) await pull(...afterPurge([A], [B, C]));
    else
      await store.write(async (tx) => {
        const issue = await tx.issues.find(A);
        if (issue !== undefined) await tx.purgeIssue(issue, { actor: "ann", reason: null });
      });
    await store.write(async (tx) => {
      await tx.append(linksChanged(Q, E, { blocks_added_uids: [A] }));
      if (isReset) await tx.clearReplica(P, { sentUpTo: 0 });
      else await tx.forgetLocalPurges(P);
    });
    await pull(baseline(P), created(P, A));
    expect((await issueOf(store, A))?.open_blockers).toBe(2);
    await expectFolded(store);
  });
});
