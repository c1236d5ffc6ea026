import { expect, test } from "vitest";
import { takeReadyIssue, takeReadyIssueGlobal } from "../../src/contract/leases.ts";
import { makeHub } from "../support/federated.ts";
import { describeStore } from "../support/store.ts";
import { type OpenStore, world } from "../support/world.ts";

const LEASE = { lease: { ttl_seconds: 60 } } as const;
const COPY = { role: "spoke", hub_url: "https://hub.example", hub_project_id: 7 } as const;

/** A daemon with a copy, whose only issue is urgent, and with a project of its own. */
async function given(open: OpenStore, binding: Parameters<typeof makeHub>[2]) {
  const w = await world({ store: open });
  const [copy, own] = [await w.given.project("copy"), await w.given.project("own")];
  const shared = await w.given.issue({ project: copy, title: "shared", priority: 0 });
  await w.given.issue({ project: own, title: "at home" });
  return { w, copy, shared, bind: async () => await makeHub(w, copy, binding) };
}

describeStore("a copy of another daemon's project", (open) => {
  test("a copy that only reads is skipped by a take across all projects", async () => {
    const { w, copy, bind } = await given(open, COPY);
    await bind();
    // The claim comes first: a lease may be of an issue that the caller owns.
    for (const body of [{}, LEASE])
      expect((await w.call(takeReadyIssueGlobal, { body })).issue?.title).toBe("at home");
    expect(await w.refused(takeReadyIssue, { params: { project_id: copy.id } })).toMatchObject({
      code: "federated_read_only",
    });
  });
});
