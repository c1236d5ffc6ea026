import { expect, test } from "vitest";
import { closeIssue } from "../../src/contract/actions.ts";
import { showIssue, showIssueByUID } from "../../src/contract/issues.ts";
import { acquireIssueLease, getIssueLeaseStatus } from "../../src/contract/leases.ts";
import { leasingHub, leasingSpoke } from "../support/leasing.ts";
import { describeStore } from "../support/store.ts";
import type { OpenStore } from "../support/world.ts";

/** A hub where kim has leased an issue, and a copy that may ask about leases or not. */
async function given(open: OpenStore, capabilities: string) {
  let uid = "";
  const at = await leasingHub(open, async (hub, project) => {
    const issue = await hub.given.issue({ project, title: "leased" });
    ({ uid } = issue);
    await hub.call(acquireIssueLease, { params: issue.path, actor: "kim" });
  });
  const copy = await leasingSpoke(open, at, { capabilities });
  const params = copy.path(uid);
  const status = async () => await copy.spoke.call(getIssueLeaseStatus, { params });
  const shown = async () => (await copy.spoke.call(showIssue, { params })).hub_lease;
  return { ...at, ...copy, uid, params, status, shown };
}

describeStore("a lease that only the hub of a copy knows", (open) => {
  test("is unknown to a copy that may not ask about leases, and the status says that the hub was not asked", async () => {
    const { spoke, uid, status, shown, params } = await given(open, "pull,push");
    expect(await status()).toMatchObject({ held: false, hub_asked: false });
    expect(await shown()).toEqual({ state: "unknown" });
    const byUid = await spoke.call(showIssueByUID, { params: { uid } });
    expect(byUid.hub_lease).toEqual({ state: "unknown" });
    await spoke.call(closeIssue, { params, body: { source: "tui" } });
    expect(await shown()).toBeUndefined();
  });

  test("is shown by a copy once its hub was asked, with the time of the hub's answer", async () => {
    const { spoke, hub, status, shown, params } = await given(open, "pull,push,claim");
    expect(await shown()).toEqual({ state: "unknown" });
    expect(await status()).toMatchObject({ held: true, holder: { holder: "kim" } });
    expect(await status()).not.toHaveProperty("hub_asked");
    const { instanceUid: holder_instance_uid } = hub.store;
    const heard_at = hub.clock.now();
    const held = { state: "held", holder: "kim", holder_instance_uid, claim_kind: "hard" };
    expect(await shown()).toEqual({ ...held, heard_at });
    const past = await spoke.call(showIssue, { params, query: { at: heard_at } });
    expect(past).not.toHaveProperty("hub_lease");
  });

  test("is not mentioned for an issue that is leased on the copy, nor by the hub itself", async () => {
    const { spoke, hub, project, uid, params, shown } = await given(open, "pull,push,claim");
    const atHub = { project_id: project.id, ref: uid };
    expect(await hub.call(showIssue, { params: atHub })).not.toHaveProperty("hub_lease");
    expect(await hub.call(getIssueLeaseStatus, { params: atHub })).not.toHaveProperty("hub_asked");
    const other = await hub.given.issue({ project, title: "free" });
    await spoke.federation.pull(project.uid, new AbortController().signal);
    const mine = { ...params, ref: other.uid };
    await spoke.call(acquireIssueLease, { params: mine, actor: "bea" });
    const answer = await spoke.call(showIssue, { params: mine });
    expect(answer.lease).toMatchObject({ holder: "bea" });
    expect(answer).not.toHaveProperty("hub_lease");
    expect(await shown()).toEqual({ state: "unknown" });
  });
});
