import { expect, test } from "vitest";
import { createComment } from "../../src/contract/comments.ts";
import { enableProjectFederation } from "../../src/contract/federation.ts";
import { getProjectFederationStatus } from "../../src/contract/federation-status.ts";
import { editIssue } from "../../src/contract/issues.ts";
import { describeStore } from "../support/store.ts";
import { world } from "../support/world.ts";
import { expectClean, rowsOf } from "./copies.ts";
import { Spoke } from "./nodes/spoke.ts";

/** Which of the two polls, in turn; 0 is the machine that was copied. After these, each polls three times more. */
const ORDERS = [[], [0], [1], [0, 0, 1], [1, 1, 0], [0, 1, 1, 0, 1]] as const;
const STALE = "federation_replica_stale";

describeStore("a spoke whose machine is copied while it runs", (open) => {
  const tried = open.dialect === "sqlite" ? ORDERS : ORDERS.slice(-1);
  test.each(tried.map((order) => ({ order, polls: `[${order.join()}]` })))(
    "is continued by one machine, and the other machine is stopped, after the polls $polls and three of each",
    async ({ order }) => {
      const hub = await world({ store: open });
      const issue = await hub.given.issue();
      const project = { id: issue.path.project_id, uid: issue.project_uid ?? "", name: "web" };
      await hub.call(enableProjectFederation, { params: { project_id: project.id } });
      const first = await Spoke.start(open, hub, 1, [project]);
      expect(await first.join(project)).toBe("done");
      expect(await first.pass()).toEqual(["current"]);
      const copies = [
        first,
        await Spoke.start(open, hub, 2, [project], { copied: first }),
      ] as const;
      const polls: readonly (0 | 1)[] = [...order, 0, 1, 0, 1, 1, 0];
      for (const at of polls) {
        await hub.call(createComment, { params: issue.path, body: { body: "more" } });
        const [outcome] = await copies[at].pass();
        // Either the copy has everything, or it says that it no longer reads.
        if (outcome === "current")
          expect(await rowsOf(copies[at].machine)).toEqual(await rowsOf(hub));
        else expect([outcome, await copies[at].stopped()]).toEqual(["gone", [STALE]]);
      }
      const stopped = await Promise.all(copies.map(async (one) => (await one.stopped())[0]));
      expect(stopped.toSorted()).toEqual([STALE, undefined]);
      for (const { machine } of copies) await expectClean(machine);
    },
  );

  test("sends nothing from the machine that the other one has replaced, and sets no batch aside", async () => {
    const hub = await world({ store: open });
    const issue = await hub.given.issue();
    const project = { id: issue.path.project_id, uid: issue.project_uid ?? "", name: "web" };
    await hub.call(enableProjectFederation, { params: { project_id: project.id } });
    const first = await Spoke.start(open, hub, 1, [project], { writes: true });
    await first.join(project);
    expect(await first.pass()).toEqual(["current"]);
    const copy = await Spoke.start(open, hub, 2, [project], { copied: first, writes: true });
    for (let pass = 0; pass < 2; pass += 1) expect(await first.pass()).toEqual(["current"]);
    const params = { project_id: await copy.localId(project), ref: issue.uid };
    await copy.world.call(editIssue, { params, body: { title: "of the copy" } });
    expect(await copy.pass()).toEqual(["gone"]);
    expect(await copy.stopped()).toEqual([STALE]);
    const titles = (await hub.events()).flatMap(({ payload }) =>
      "title" in payload ? [payload.title] : [],
    );
    expect(titles).not.toContain("of the copy");
    const status = await copy.world.call(getProjectFederationStatus, { params });
    expect(status.statuses).toMatchObject([{ pending_push_count: 1, active_quarantine_count: 0 }]);
    expect(await first.pass()).toEqual(["current"]);
  });
});
