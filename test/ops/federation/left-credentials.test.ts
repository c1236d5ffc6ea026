import { expect, test } from "vitest";
import {
  createFederationReplica,
  leaveFederationReplica,
} from "../../../src/contract/federation-replicas.ts";
import { forgetLeftCredentials } from "../../../src/ops/federation/left-credentials.ts";
import { describeStore } from "../../support/store.ts";
import { HUB_UID, JOIN, type Spoke, spoke } from "./replica-world.ts";

const OTHER_UID = "01J0000000000000000000HXB2";

const MANAGED = {
  hub_catalog: "team",
  hub_project_name: "shared",
  requested_actor: "sam",
  spoke_project_name: "mine",
};

const forget = async ({ w, replicas }: Spoke): Promise<number> => {
  const { credentials } = replicas;
  const inTurn = async <T>(work: () => Promise<T>) => await work();
  return await forgetLeftCredentials({
    store: w.store,
    federation: { credentials, inTurn } as never,
  });
};

describeStore("tokens that are no longer needed", (open) => {
  test("are the tokens of projects that have left their hub, not reserved tokens or the tokens of copies", async () => {
    const at = await spoke(open);
    const { w, credentials } = at;
    await w.call(createFederationReplica, { body: JOIN });
    const joined = (await credentials.all()).get(HUB_UID);
    if (joined === undefined) throw new Error("a token is stored");
    const reserved = { ...joined, actor: "", managed: MANAGED };
    await credentials.store(OTHER_UID, reserved);
    expect(await forget(at)).toBe(0);
    await credentials.store(OTHER_UID, { ...reserved, actor: "sam" });
    expect(await forget(at)).toBe(1);
    expect([...(await credentials.all()).keys()]).toEqual([HUB_UID]);
  });

  test("are kept when the project joins again: the entry of config.toml stays, and the mark of the leave is removed", async () => {
    const { w, credentials } = await spoke(open);
    const { project } = await w.call(createFederationReplica, { body: JOIN });
    const joined = (await credentials.all()).get(HUB_UID);
    if (joined === undefined) throw new Error("a token is stored");
    const leave = { pending_enrollment_id: 4 };
    await credentials.store(HUB_UID, { ...joined, managed: { ...MANAGED, leave } });
    await w.call(createFederationReplica, { body: JOIN });
    expect((await credentials.all()).get(HUB_UID)).toEqual({ ...joined, managed: MANAGED });
    const params = { project_id: project.id };
    await w.call(leaveFederationReplica, { params, body: { prepare: true } });
    expect(await w.call(leaveFederationReplica, { params })).toMatchObject({ detached: true });
    expect(await credentials.all()).toEqual(new Map());
  });
});
