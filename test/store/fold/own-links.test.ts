import { expect, test } from "vitest";
import type { EventDraft, Payload } from "../../../src/contract/events.ts";
import type { AdminStore } from "../../../src/store/admin-store.ts";
import { expectClean } from "../../federation/copies.ts";
import { describeStore } from "../../support/store.ts";
import { created, linksChanged, projectCreated, uid } from "../drafts.ts";
import { admitAs, BEGIN_MS, baseline, ForeignEvents } from "../foreign-events.ts";
import { P, Q } from "../random-events.ts";

/** P1 and P2 are issues of P, Q1 is one of Q. Related links are stored from the smaller uid. */
const [P1, P2, Q1] = [uid(11), uid(12), uid(13)];
const OTHER_ORIGIN = { origin_instance_uid: uid(950) };

const blockedBy = (project: string, issue: string, by: string) =>
  linksChanged(project, issue, { blocked_by_added_uids: [by] });
const blocks = (project: string, issue: string, blocked: string) =>
  linksChanged(project, issue, { blocks_added_uids: [blocked] });

function linked(issue: string, payload: Partial<Payload<"issue.linked">>): EventDraft {
  return {
    ...{ type: "issue.linked", actor: "ann", project_uid: Q, issue_uid: issue },
    payload: {
      ...{ from_uid: issue, to_uid: P1, type: "blocks", incoming: true },
      ...{ updated_at: "2026-01-01T00:00:00.000Z" },
      ...payload,
    },
    related_issue_uid: payload.to_uid ?? P1,
  } as EventDraft;
}

const unlinked: EventDraft = {
  ...{ type: "issue.unlinked", actor: "ann", project_uid: Q, issue_uid: Q1 },
  payload: {
    ...{ from_uid: Q1, to_uid: P1, type: "blocks", link_from_uid: P1, link_to_uid: Q1 },
    updated_at: "2026-01-01T00:00:00.000Z",
  },
  related_issue_uid: P1,
} as EventDraft;

async function linksOf(store: AdminStore): Promise<readonly string[]> {
  const snapshot = await store.openSnapshot();
  const found: string[] = [];
  for (const table of ["link", "waiting_link"] as const)
    for await (const { from_uid, type, to_uid } of snapshot.rows(table))
      found.push(`${table} ${from_uid} ${type} ${to_uid}`);
  await snapshot.close();
  return found;
}

/** Folds all issues again, alone and together, and compares the tables with the log. */
async function expectSound(store: AdminStore): Promise<void> {
  await expectClean({ store });
  for (const uids of [[P1], [P2], [Q1], [P1, P2, Q1]])
    expect(await store.write(async (tx) => await tx.refold(uids))).toBe(0);
}

describeStore("a link between two projects, one of which is federated", (open) => {
  /** A copy of P and Q, as the hub has them. `pull` adds events of the hub, the first at `second`. */
  async function copyOfBoth() {
    const store = await open();
    await store.write(async (tx) => {
      for (const draft of [projectCreated(P, "web"), projectCreated(Q, "api")])
        await tx.append(draft);
    });
    const made = new ForeignEvents();
    let hub = 0;
    const pull = async (second: number, ...drafts: readonly EventDraft[]) => {
      const events = drafts.map((draft, at) => {
        hub += 1;
        const hlc_physical_ms = BEGIN_MS + second * 1000 + at;
        return made.next(draft, { ...OTHER_ORIGIN, hlc_physical_ms, hub_event_id: hub });
      });
      return await admitAs(store, { fromHub: true, ownUpTo: 0 }, ...events);
    };
    await pull(0, baseline(P), baseline(Q), created(P, P1), created(P, P2), created(Q, Q1));
    return { store, pull };
  }

  test.each([
    ["the blocked issue", blockedBy(Q, Q1, P1)],
    ["the blocked issue, as one link", linked(Q1, {})],
    ["the larger uid of related issues", linksChanged(Q, Q1, { related_added_uids: [P1] })],
    [
      "the blocked issue, when it is created",
      created(Q, uid(14), {
        links: [
          { type: "blocks", to_issue_uid: P1, to_short_id: "", author: "ann", incoming: true },
        ],
      }),
    ],
  ])("a link is not set by an event of %s", async (_, draft) => {
    const { store, pull } = await copyOfBoth();
    await pull(10, draft);
    expect(await linksOf(store)).toEqual([]);
    await expectSound(store);
  });

  test.each([
    ["a change of links", linksChanged(Q, Q1, { blocked_by_removed_uids: [P1] })],
    ["an unlink", unlinked],
  ])("a link is not removed by %s of the blocked issue", async (_, draft) => {
    const { store, pull } = await copyOfBoth();
    await pull(10, blocks(P, P1, Q1), draft);
    expect(await linksOf(store)).toEqual([`link ${P1} blocks ${Q1}`]);
    await expectSound(store);
  });

  test("a link is set and removed by events of the issue that it is stored from", async () => {
    const { store, pull } = await copyOfBoth();
    await pull(10, blocks(P, P1, Q1));
    expect(await linksOf(store)).toEqual([`link ${P1} blocks ${Q1}`]);
    await pull(20, linksChanged(P, P1, { blocks_removed_uids: [Q1] }));
    expect(await linksOf(store)).toEqual([]);
    await expectSound(store);
  });

  test("a link inside one project is set by an event of either issue", async () => {
    const { store, pull } = await copyOfBoth();
    await pull(10, blockedBy(P, P2, P1));
    expect(await linksOf(store)).toEqual([`link ${P1} blocks ${P2}`]);
    await expectSound(store);
  });

  test("a link is not set by an event of the other project that arrives before the linked issue", async () => {
    const { store, pull } = await copyOfBoth();
    await pull(20, blockedBy(Q, Q1, uid(15)));
    await pull(10, created(P, uid(15)));
    expect(await linksOf(store)).toEqual([]);
    await expectSound(store);
  });

  test("a link that was set before the projects were federated stays, whichever issue's event set the link", async () => {
    const store = await open();
    await store.write(async (tx) => {
      for (const draft of [projectCreated(P, "web"), projectCreated(Q, "api")])
        await tx.append(draft);
      for (const draft of [created(P, P1), created(Q, Q1), blockedBy(Q, Q1, P1)])
        await tx.append(draft);
      await tx.append(baseline(Q));
    });
    await expectSound(store);
    await store.write(async (tx) => {
      await tx.append(blockedBy(Q, Q1, P1));
      await tx.append(linksChanged(Q, Q1, { blocked_by_removed_uids: [P1] }));
    });
    expect(await linksOf(store)).toEqual([`link ${P1} blocks ${Q1}`]);
    await expectSound(store);
  });

  test("a link of another daemon is refused if it does not belong to the event's issue", async () => {
    const { store } = await copyOfBoth();
    const at = { ...OTHER_ORIGIN, hlc_physical_ms: BEGIN_MS + 30_000 };
    const wrong = new ForeignEvents(9000).next(blockedBy(Q, Q1, P1), at);
    await expect(admitAs(store, { fromHub: false }, wrong)).rejects.toMatchObject({
      code: "validation",
      message: expect.stringContaining(wrong.uid),
    });
  });
});
