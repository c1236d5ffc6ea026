import { chmodSync } from "node:fs";
import { expect, test } from "vitest";
import { SvcError } from "../../../src/contract/errors.ts";
import {
  createFederationReplica,
  leaveFederationReplica,
} from "../../../src/contract/federation-replicas.ts";
import { getProjectFederationStatus } from "../../../src/contract/federation-status.ts";
import { removeProject } from "../../../src/contract/project-actions.ts";
import type { HubCredential } from "../../../src/ops/federation/hub-credential.ts";
import { readableReplicas } from "../../../src/ops/federation/replica.ts";
import { makeHub } from "../../support/federated.ts";
import { describeStore } from "../../support/store.ts";
import type { OpenStore } from "../../support/world.ts";
import { HUB_UID, JOIN, spoke } from "./replica-world.ts";

async function joined(open: OpenStore) {
  const at = await spoke(open);
  const { project } = await at.w.call(createFederationReplica, { body: JOIN });
  const params = { project_id: project.id };
  const leave = async (body = {}) => await at.w.call(leaveFederationReplica, { params, body });
  const refused = async (body = {}) => await at.w.refused(leaveFederationReplica, { params, body });
  const status = async () => (await at.w.call(getProjectFederationStatus, { params })).statuses[0];
  /** Adds an issue as if it had come from the hub. */
  const issueOfHub = async () => {
    const { w } = at;
    const key = { project_uid: HUB_UID };
    const row = await w.store.read(
      async ({ unfolded }) => await unfolded.find("federation_binding", key),
    );
    await w.store.write(async (tx) => await tx.unfolded.remove("federation_binding", key));
    const issue = await w.given.issue({ project });
    await w.store.write(async (tx) => {
      if (row !== undefined) await tx.unfolded.put("federation_binding", row);
    });
    return issue;
  };
  return { ...at, project, params, leave, refused, status, issueOfHub };
}

const PENDING = {
  hub_url: "https://hub.example/tracker",
  hub_project_id: 7,
  hub_project_uid: HUB_UID,
};

describeStore("leaving a hub", (open) => {
  test("a leave can be previewed, which changes nothing", async () => {
    const { w, leave, status, credentials } = await joined(open);
    const before = await status();
    const answer = await leave({ preflight: true });
    expect(answer).toMatchObject({ detached: false, disposition: "detach" });
    expect(answer.pending_enrollment).toEqual(PENDING);
    expect(await status()).toEqual(before);
    expect(await credentials.status(HUB_UID)).toBe("present");
    expect((await readableReplicas(w.store)).map(({ project_uid }) => project_uid)).toEqual([
      HUB_UID,
    ]);
  });

  test("a prepared leave is marked, and the mark outlasts a restart and stops the reading from the hub", async () => {
    const { w, leave, status, credentials } = await joined(open);
    for (const _time of [1, 2])
      expect((await leave({ prepare: true })).pending_enrollment).toEqual(PENDING);
    expect(await status()).toMatchObject({ leaving: true, role: "spoke" });
    expect((await readableReplicas(w.store)).map(({ project_uid }) => project_uid)).toEqual([]);
    expect(await credentials.status(HUB_UID)).toBe("present");
    await w.call(createFederationReplica, { body: JOIN });
    expect(await status()).not.toHaveProperty("leaving");
    expect((await readableReplicas(w.store)).map(({ project_uid }) => project_uid)).toEqual([
      HUB_UID,
    ]);
  });

  test("a leave makes the copy an ordinary project, which can be changed, and deletes the token", async () => {
    const { w, project, leave, status, credentials, issueOfHub } = await joined(open);
    const issue = await issueOfHub();
    await w.store.write(async (tx) => {
      const sync = {
        last_pull_started_at: tx.now,
        last_pull_success_at: null,
        last_push_started_at: null,
      };
      const rest = {
        last_push_success_at: null,
        last_error_at: null,
        last_error: null,
        last_reset_at: null,
      };
      await tx.unfolded.put("federation_sync_status", { project_uid: HUB_UID, ...sync, ...rest });
    });
    await leave({ prepare: true });
    expect(await leave()).toMatchObject({ detached: true, disposition: "detach" });
    expect(await status()).toBeUndefined();
    expect(await credentials.status(HUB_UID)).toBe("missing");
    const left = await w.store.read(async ({ unfolded }) => ({
      status: await unfolded.list("federation_sync_status", 10),
      marks: await unfolded.list("federation_leave", 10),
    }));
    expect(left).toEqual({ status: [], marks: [] });
    const { comment } = await w.given.comment({ on: issue });
    expect(comment.body).toBe("a comment");
    await w.given.issue({ project });
    expect(await leave()).toMatchObject({ detached: false });
  });

  test("a leave finishes an earlier one that was interrupted before the token was deleted", async () => {
    const { w, leave, credentials } = await joined(open);
    await w.store.write(async (tx) => {
      await tx.unfolded.remove("federation_binding", { project_uid: HUB_UID });
    });
    expect(await leave()).toMatchObject({ detached: false });
    expect(await credentials.status(HUB_UID)).toBe("missing");
  });

  test("a leave archives the project on request, with force despite open issues, and only once", async () => {
    const { w, params, leave, refused, status, issueOfHub } = await joined(open);
    await issueOfHub();
    for (const phase of [{ preflight: true }, { prepare: true }, {}]) {
      const error = await refused({ disposition: "archive", ...phase });
      expect(error.code).toBe("project_has_open_issues");
      expect(error.data).toEqual({ open_issues: 1 });
    }
    expect(await status()).not.toHaveProperty("leaving");
    const answer = await leave({ disposition: "archive", force: true });
    expect(answer).toMatchObject({ detached: true, archived: true, disposition: "archive" });
    expect(answer.project.deleted_at).toBeDefined();
    const again = await leave({ disposition: "archive" });
    expect(again).toMatchObject({ detached: false, archived: false });
    expect((await w.refused(removeProject, { params })).code).toBe("project_already_archived");
  });

  test("a leave detaches a copy that was archived before", async () => {
    const { w, params, leave } = await joined(open);
    await w.call(removeProject, { params });
    const answer = await leave({ disposition: "archive" });
    expect(answer).toMatchObject({ detached: true, archived: false });
  });

  test("a leave is refused to a hub, for both phases at once, for an unknown disposition, and for a missing project", async () => {
    const { w, refused } = await joined(open);
    expect((await refused({ preflight: true, prepare: true })).code).toBe("validation");
    expect((await refused({ disposition: "burn" })).code).toBe("validation");
    const own = await w.given.project("own");
    await makeHub(w, own);
    const params = { project_id: own.id };
    expect((await w.refused(leaveFederationReplica, { params })).code).toBe("not_a_spoke");
    const missing = await w.refused(leaveFederationReplica, { params: { project_id: 99 } });
    expect(missing.code).toBe("project_not_found");
  });

  test("a leave changes nothing while the file with the token cannot be used", async () => {
    const { file, leave, refused, status, credentials } = await joined(open);
    chmodSync(file, 0o644);
    for (const phase of [{ preflight: true }, { prepare: true }, {}])
      expect((await refused(phase)).code).toBe("federation_offline");
    expect(await status()).toMatchObject({ role: "spoke", enabled: true });
    expect(await status()).not.toHaveProperty("leaving");
    chmodSync(file, 0o600);
    expect(await leave()).toMatchObject({ detached: true });
    expect(await credentials.status(HUB_UID)).toBe("missing");
  });

  test("a leave does not touch the token of another database that shares the file", async () => {
    const { leave, credentials } = await joined(open);
    const stored = (await credentials.all()).get(HUB_UID);
    if (stored === undefined) throw new Error("a token is stored");
    const foreign = { ...stored, spoke_instance_uid: "01J0000000000000000000000X" };
    await credentials.store(HUB_UID, foreign);
    await leave();
    expect((await credentials.all()).get(HUB_UID)).toEqual(foreign);
  });

  test("a leave of a project of config.toml first marks its token, and may be prepared and finished twice", async () => {
    const { w, leave, credentials, manage } = await managedCopy(open);
    expect((await leave({ preflight: true })).pending_enrollment).toEqual(PENDING);
    expect((await credentials.all()).get(HUB_UID)?.managed).toEqual(MANAGED);
    for (const _time of [1, 2])
      expect((await leave({ prepare: true })).pending_enrollment).toEqual(PENDING);
    const pending = { ...MANAGED, leave: { pending_enrollment_id: 0 } };
    expect((await credentials.all()).get(HUB_UID)?.managed).toEqual(pending);
    // Whoever reconciles the configuration has found the enrollment out.
    await manage({ ...MANAGED, leave: { pending_enrollment_id: 4 } });
    expect(await leave()).toMatchObject({ detached: true });
    expect(await credentials.all()).toEqual(new Map());
    const marks = async () =>
      await w.store.read(async ({ unfolded }) => await unfolded.list("federation_leave", 10));
    expect(await marks()).toEqual([]);
    expect(await leave()).toMatchObject({ detached: false });
  });

  test("a leave waits for the calls to the hub that began before it, and sees what they have changed", async () => {
    const { w, params, leave, credentials, manage } = await managedCopy(open);
    const { promise: answered, resolve: answer } = Promise.withResolvers<void>();
    const enrolling = w.replicas.hubCalls.during(params.project_id, async () => {
      await answered;
      await manage({ ...MANAGED, leave: { pending_enrollment_id: 9 } });
    });
    const order: string[] = [];
    const prepared = leave({ prepare: true }).then(() => order.push("prepared"));
    await expect
      .poll(async () => (await credentials.all()).get(HUB_UID)?.managed?.leave)
      .toEqual({ pending_enrollment_id: 0 });
    // A join of another project need not wait for it.
    await w.replicas.inTurn(async () => await Promise.resolve(order.push("another")));
    answer();
    await Promise.all([enrolling, prepared]);
    expect(order).toEqual(["another", "prepared"]);
    expect(await leave()).toMatchObject({ detached: true });
    expect(await credentials.all()).toEqual(new Map());
  });

  test("a leave of a project that has not joined yet names the hub that may know its token, and deletes that token", async () => {
    const { w, credentials } = await spoke(open);
    const { id } = await w.given.project("shared");
    const credential = {
      ...{ hub_url: "https://hub.example", hub_project_id: 7, token: "svc_fed_reserved" },
      ...{ capabilities: ["claim", "pull", "push"], actor: "", allow_insecure: false },
      ...{ spoke_instance_uid: w.store.instanceUid, managed: MANAGED },
    };
    await credentials.reserve(HUB_UID, credential);
    const leave = async (body: object) =>
      await w.call(leaveFederationReplica, { params: { project_id: id }, body });
    const pending = { ...PENDING, hub_url: "https://hub.example" };
    expect((await leave({ prepare: true })).pending_enrollment).toEqual(pending);
    expect(await leave({})).toMatchObject({ detached: false });
    expect(await credentials.all()).toEqual(new Map());
  });

  test("a leave is refused when two tokens are for the project, or when the token was changed after the leave was prepared", async () => {
    const { w, refused, leave, credentials, manage } = await managedCopy(open);
    const own = (await credentials.all()).get(HUB_UID);
    if (own === undefined) throw new Error("a token is stored");
    await credentials.store("01J0000000000000000000HXB3", { ...own, actor: "" });
    for (const phase of [{ preflight: true }, { prepare: true }, {}])
      expect((await refused(phase)).code).toBe("federation_credential_conflict");
    await credentials.delete("01J0000000000000000000HXB3");
    await leave({ prepare: true });
    const { store } = w;
    const write = store.write.bind(store);
    store.write = async (work, guard) => {
      store.write = write;
      const done = await write(work, guard);
      await manage(MANAGED);
      return done;
    };
    expect((await refused()).code).toBe("federation_credential_conflict");
    await leave({ prepare: true });
    await leave();
    expect(await credentials.all()).toEqual(new Map());
  });

  test("a leave that was not prepared does not delete a token that may be enrolled meanwhile", async () => {
    const { refused, leave, credentials } = await managedCopy(open);
    expect((await refused()).code).toBe("federation_credential_conflict");
    expect(await credentials.status(HUB_UID)).toBe("present");
    await leave({ prepare: true });
    expect(await leave()).toMatchObject({ detached: true });
  });

  test("a leave also waits for a call to the hub that began after its wait for earlier calls", async () => {
    const { w, params, leave, credentials } = await managedCopy(open);
    const { hubCalls } = w.replicas;
    const { promise: answered, resolve: answer } = Promise.withResolvers<void>();
    const ended = hubCalls.ended.bind(hubCalls);
    let later: Promise<void> | undefined;
    hubCalls.ended = async (id) => {
      await ended(id);
      later ??= hubCalls.during(params.project_id, async () => await answered);
    };
    let isPrepared = false;
    const prepared = leave({ prepare: true }).then(() => (isPrepared = true));
    await expect.poll(() => later !== undefined).toBe(true);
    await w.replicas.inTurn(async () => await Promise.resolve());
    await w.replicas.inTurn(async () => await Promise.resolve());
    expect(isPrepared).toBe(false);
    answer();
    await prepared;
    expect((await credentials.all()).get(HUB_UID)?.managed?.leave).toBeDefined();
  });

  test("a leave is given up when its steps are undone again and again, and is finished once they stay", async () => {
    const { leave, refused, credentials, manage } = await managedCopy(open);
    const replace = credentials.replace.bind(credentials);
    let replaced = 0;
    credentials.replace = async (...words) => {
      replaced += 1;
      const did = await replace(...words);
      await manage(MANAGED);
      return did;
    };
    const error = await refused({ prepare: true });
    expect(error.code).toBe("federation_credential_conflict");
    expect(error.message).toContain("undone by something else");
    expect(replaced).toBeLessThan(20);
    credentials.replace = replace;
    await leave({ prepare: true });
    expect(await leave()).toMatchObject({ detached: true });
    expect(await credentials.all()).toEqual(new Map());
  });

  test.each([true, false])(
    "a leave looks up whether the copy is detached if the answer of the database was lost (%s)",
    async (isMade) => {
      const { w, leave, credentials } = await joined(open);
      await leave({ prepare: true });
      const { store } = w;
      const write = store.write.bind(store);
      store.write = async (work, guard) => {
        store.write = write;
        if (isMade) await write(work, guard);
        throw new SvcError("outcome_unknown");
      };
      expect(await leave()).toMatchObject({ detached: true });
      expect(await credentials.status(HUB_UID)).toBe("missing");
      expect(await leave()).toMatchObject({ detached: false });
    },
  );

  test("a leave is given up if nobody can find out what was done, and the next leave finishes it", async () => {
    const { w, leave, refused, credentials } = await joined(open);
    await leave({ prepare: true });
    const { store } = w;
    const write = store.write.bind(store);
    store.write = async () => await Promise.reject(new SvcError("outcome_unknown"));
    expect((await refused()).code).toBe("outcome_unknown");
    expect(await credentials.status(HUB_UID)).toBe("present");
    store.write = write;
    expect(await leave()).toMatchObject({ detached: true });
  });
});

const MANAGED = {
  ...{ hub_catalog: "team", hub_project_name: "shared" },
  ...{ requested_actor: "sam", spoke_project_name: "shared" },
};

/** A copy whose token the daemon made for a project of config.toml. */
async function managedCopy(open: OpenStore) {
  const at = await joined(open);
  const manage = async (managed: HubCredential["managed"]): Promise<void> => {
    const known = (await at.credentials.all()).get(HUB_UID);
    if (known !== undefined && managed !== undefined)
      await at.credentials.store(HUB_UID, { ...known, managed });
  };
  await manage(MANAGED);
  return { ...at, manage };
}
