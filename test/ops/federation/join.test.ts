import { chmodSync, readFileSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { SvcError } from "../../../src/contract/errors.ts";
import {
  createFederationReplica,
  leaveFederationReplica,
} from "../../../src/contract/federation-replicas.ts";
import { getFederationStatus } from "../../../src/contract/federation-status.ts";
import { createIssue } from "../../../src/contract/issues.ts";
import { listProjects, renameProject } from "../../../src/contract/projects.ts";
import type { Input } from "../../../src/contract/route.ts";
import type { Authenticate } from "../../../src/daemon/access/authenticate.ts";
import { RIGHTS } from "../../../src/domain/access/rights.ts";
import { projectCreated } from "../../../src/domain/drafts/projects.ts";
import type { Rows } from "../../../src/domain/tables/tables.ts";
import type { Principal } from "../../../src/ops/deps.ts";
import { created } from "../../store/drafts.ts";
import { bridgeRow } from "../../support/bridges.ts";
import { makeHub } from "../../support/federated.ts";
import { countingIds } from "../../support/ids.ts";
import { bindingTo } from "../../support/replica.ts";
import { describeStore } from "../../support/store.ts";
import { world } from "../../support/world.ts";
import { HUB_UID, JOIN, type Spoke, spoke, TOKEN } from "./replica-world.ts";

type Body = Input<typeof createFederationReplica>["body"];

const join = async ({ w }: Spoke, body: Partial<Body> = {}) =>
  await w.call(createFederationReplica, { body: { ...JOIN, ...body } });

const refused = async ({ w }: Spoke, body: Partial<Body> = {}) =>
  await w.refused(createFederationReplica, { body: { ...JOIN, ...body } });

/** Lets everybody be this caller, with the rights of its kind. */
function judged(who: Principal): Authenticate {
  return async (_event, right) => {
    const judgement = RIGHTS[who.kind][right];
    if (judgement !== "yes") throw new SvcError(judgement);
    return await Promise.resolve(who);
  };
}

/** A join of a copy that sends its changes. */
const SENDING = { capabilities: ["pull", "push"], push_enabled: true };

/** All that a join can change. */
async function contents({ w, file }: Spoke) {
  const bindings = await w.store.read(
    async ({ unfolded }) => await unfolded.list("federation_binding", 10),
  );
  const projects = await w.store.read(async ({ projects }) => await projects.list(true));
  let stored = "";
  try {
    stored = readFileSync(file, "utf8");
  } catch {
    // There is no file before the first join.
  }
  return { bindings, projects, stored };
}

/** Binds the project as `JOIN` asks, without a credential. */
async function bound({ w }: Spoke, changes: Partial<Rows["federation_binding"]> = {}) {
  await w.store.write(async (tx) => {
    await tx.append(projectCreated(HUB_UID, "shared", { actor: "sam", now: tx.now }));
    const known = { project_id: 7, replay_horizon_event_id: 40, baseline_through_event_id: 44 };
    const row = bindingTo("https://hub.example/tracker", HUB_UID, known, tx.now);
    await tx.unfolded.put("federation_binding", { ...row, bound_actor: "sam", ...changes });
  });
}

describeStore("joining a hub", (open) => {
  test("a join makes a project with the hub's uid, an event of its own, a binding and a credential, and wakes the engine", async () => {
    const at = await spoke(open);
    const { project, binding } = await join(at);
    expect(project).toMatchObject({ uid: HUB_UID, name: "shared" });
    expect(binding).toMatchObject({
      project_id: project.id,
      role: "spoke",
      hub_url: "https://hub.example/tracker",
      hub_project_id: 7,
      replay_horizon_event_id: 40,
      pull_cursor_event_id: 39,
      push_enabled: false,
      actor: "sam",
      allow_insecure: false,
      enabled: true,
    });
    const [created] = await at.w.events();
    expect(created).toMatchObject({ type: "project.created", actor: "sam", project_uid: HUB_UID });
    expect(created?.origin_instance_uid).toBe(at.w.store.instanceUid);
    expect((await at.credentials.all()).get(HUB_UID)).toEqual({
      hub_url: "https://hub.example/tracker",
      hub_project_id: 7,
      token: TOKEN,
      capabilities: ["pull"],
      actor: "sam",
      allow_insecure: false,
      spoke_instance_uid: at.w.store.instanceUid,
    });
    expect(at.w.federationWakes()).toBe(1);
    const text = JSON.stringify(await at.w.call(getFederationStatus));
    expect(text).toContain('"credential_status":"present"');
    expect(text).not.toContain(TOKEN);
  });

  test("a copy that was joined is shown in the list of projects as a copy, until it is an ordinary project", async () => {
    const at = await spoke(open);
    await at.w.given.project("own");
    const { project } = await join(at);
    const copies = async (query = {}) =>
      (await at.w.call(listProjects, { query })).projects.map(({ name, copy_of }) => [
        name,
        copy_of,
      ]);
    const hub = { hub_url: "https://hub.example/tracker", hub_project_id: 7, read_only: true };
    for (const query of [{}, { include: "stats" }])
      expect(await copies(query)).toEqual([
        ["own", undefined],
        ["shared", hub],
      ]);
    await at.w.call(leaveFederationReplica, { params: { project_id: project.id } });
    expect(await copies()).toEqual([
      ["own", undefined],
      ["shared", undefined],
    ]);
  });

  test("a repeated join has no effect, needs no token, and keeps what was read", async () => {
    const at = await spoke(open);
    const first = await join(at);
    await at.w.store.write(async (tx) => {
      const row = await tx.unfolded.find("federation_binding", { project_uid: HUB_UID });
      if (row === undefined) throw new Error("it is bound");
      await tx.unfolded.put("federation_binding", {
        ...row,
        pull_cursor_event_id: 90,
        hub_stamp: "s",
      });
    });
    const before = await contents(at);
    const { token: _token, ...without } = JOIN;
    const again = await at.w.call(createFederationReplica, {
      body: { ...without, replay_horizon_event_id: 60 },
    });
    expect(again.project).toEqual(first.project);
    expect(again.binding.pull_cursor_event_id).toBe(90);
    expect(await contents(at)).toEqual(before);
  });

  test("a join with another token stores it, and begins without the stamp that the former token read with", async () => {
    const at = await spoke(open);
    await join(at);
    await at.w.store.write(async (tx) => {
      const row = await tx.unfolded.find("federation_binding", { project_uid: HUB_UID });
      if (row === undefined) throw new Error("it is bound");
      const disabled = { enabled: 0, disabled_reason: "new_instance", hub_stamp: "s" } as const;
      await tx.unfolded.put("federation_binding", { ...row, ...disabled });
    });
    const other = `${TOKEN}-other`;
    expect((await join(at, { token: other })).binding.enabled).toBe(true);
    expect((await at.credentials.all()).get(HUB_UID)?.token).toBe(other);
    const [row] = (await contents(at)).bindings;
    expect(row).toMatchObject({ enabled: 1, disabled_reason: null, hub_stamp: null });
  });

  test("a join of a project that had left its hub binds it again, and reads from the replay horizon on", async () => {
    const at = await spoke(open);
    const first = await join(at);
    await at.w.store.write(async (tx) => {
      await tx.unfolded.remove("federation_binding", { project_uid: HUB_UID });
    });
    const again = await join(at, { replay_horizon_event_id: 60 });
    expect(again.project.id).toBe(first.project.id);
    expect(again.binding).toMatchObject({ pull_cursor_event_id: 59 });
    expect(await at.w.events()).toHaveLength(1);
  });

  test("a join with push leaves nothing unsent, and lets the copy be written to in the name of the enrollment's actor", async () => {
    const at = await spoke(open);
    await at.w.given.issue({ project: await at.w.given.project("other") });
    const { binding } = await join(at, SENDING);
    const events = await at.w.events();
    expect(binding).toMatchObject({ push_enabled: true, actor: "sam" });
    const [status] = (await at.w.call(getFederationStatus)).statuses;
    expect(status).toMatchObject({ pending_push_count: 0, pending_push_high_water_event_id: 0 });
    expect(status).not.toHaveProperty("reset_blocker");
    const issue = await at.w.given.issue({ project: { id: binding.project_id }, title: "mine" });
    expect(issue.author).toBe("sam");
    const last = (await at.w.events()).at(-1);
    expect(last).toMatchObject({ actor: "sam", local_actor: "ann" });
    const [now] = (await at.w.call(getFederationStatus)).statuses;
    expect(now).toMatchObject({
      pending_push_count: 1,
      pending_push_high_water_event_id: last?.id,
      reset_blocker: "pending_push",
    });
    expect(last?.id).toBeGreaterThan(events.at(-1)?.id ?? 0);
  });

  test("a repeated join with push lets a copy that only reads be written to, and a later join without push changes nothing", async () => {
    const at = await spoke(open);
    const { binding: before } = await join(at, { capabilities: "pull,push" });
    expect(before.push_enabled).toBe(false);
    const project = { id: before.project_id };
    expect(
      (
        await at.w.refused(createIssue, {
          params: { project_id: project.id },
          body: { title: "x" },
        })
      ).code,
    ).toBe("federated_read_only");
    const { binding } = await join(at, SENDING);
    expect(binding.push_enabled).toBe(true);
    expect(binding.push_cursor_event_id).toBe((await at.w.events()).at(-1)?.id);
    await at.w.given.issue({ project });
    const { token: _, ...again } = { ...JOIN, actor: "sam" };
    const repeated = await at.w.call(createFederationReplica, { body: again });
    expect(repeated.binding).toMatchObject({
      push_enabled: true,
      push_cursor_event_id: binding.push_cursor_event_id,
    });
    expect((await at.credentials.all()).get(HUB_UID)?.capabilities).toEqual(["pull", "push"]);
  });

  test("a join with a token without push is refused for a copy that already sends its changes", async () => {
    const at = await spoke(open);
    await join(at, SENDING);
    const before = await contents(at);
    const error = await refused(at, { token: `${TOKEN}-new`, capabilities: "pull" });
    expect(error.code).toBe("federation_capability_mismatch");
    expect(await contents(at)).toEqual(before);
  });

  test("a join is possible by plain http if that is asked for, or to a port of this machine", async () => {
    const at = await spoke(open);
    const insecure = { hub_url: "http://hub.example", allow_insecure: true };
    expect((await join(at, insecure)).binding.allow_insecure).toBe(true);
    const local = await spoke(open);
    const near = { hub_url: "http://127.0.0.1:7778", allow_insecure: true };
    expect((await join(local, near)).binding.allow_insecure).toBe(false);
  });

  test("a join makes a copy that keeps the name of the hub's project", async () => {
    const at = await spoke(open);
    const { project } = await join(at);
    const params = { project_id: project.id };
    const { code } = await at.w.refused(renameProject, { params, body: { name: "mine" } });
    expect(code).toBe("federated_admin_required");
  });
});

describeStore("a join that is refused", (open) => {
  const cases: readonly (readonly [string, Partial<Body>, string])[] = [
    ["a URL with a password", { hub_url: "https://ann:pw@hub.example" }, "validation"],
    ["a URL with a query", { hub_url: "https://hub.example/?a=1" }, "validation"],
    ["a URL with a fragment", { hub_url: "https://hub.example/#a" }, "validation"],
    ["a URL that is no web address", { hub_url: "ftp://hub.example" }, "validation"],
    ["plain http to a name", { hub_url: "http://hub.example" }, "validation"],
    ["plain http to an untrusted network", { hub_url: "http://10.0.0.5:7777" }, "validation"],
    ["a link-local address", { hub_url: "https://169.254.169.254" }, "validation"],
    ["the address of this daemon", { hub_url: "http://127.0.0.1:7777" }, "validation"],
    ["the address of this daemon by a name", { hub_url: "http://localhost:7777/x" }, "validation"],
    ["an invalid project uid", { hub_project_uid: "shared" }, "validation"],
    ["an invalid project name", { project_name: "a#b" }, "validation"],
    ["an empty actor", { actor: "" }, "validation"],
    ["an unknown capability", { capabilities: ["fly"] }, "validation"],
    ["a token with a space", { token: "a b" }, "validation"],
    ["an enrollment without pull", { capabilities: "push" }, "federation_capability_mismatch"],
    ["writing without push", { push_enabled: true }, "federation_capability_mismatch"],
    ["adoption without push", { adopt_existing: true }, "federation_capability_mismatch"],
  ];

  test.each(cases)("a join with %s is refused, and changes nothing", async (_what, body, code) => {
    const at = await spoke(open);
    const before = await contents(at);
    const error = await refused(at, body);
    expect(error.code).toBe(code);
    expect(JSON.stringify(error)).not.toContain(TOKEN);
    expect(await contents(at)).toEqual(before);
    if (body.push_enabled || body.adopt_existing)
      expect(error.message).toContain("needs an enrollment with push");
  });

  test("a join is refused for a name that another project has, even an archived one", async () => {
    const at = await spoke(open);
    const other = await at.w.given.project("shared");
    const namesake = await refused(at);
    expect(namesake.code).toBe("federation_project_collision");
    expect(namesake.hint).toMatch(/svc projects rename shared <new name>.* --adopt-existing/);
    await at.w.given.archived(other);
    expect((await refused(at)).code).toBe("federation_project_collision");
  });

  test("a join is refused for an archived copy", async () => {
    const at = await spoke(open);
    const { project } = await join(at);
    await at.w.given.archived(project);
    const { code, hint } = await refused(at);
    expect(code).toBe("federation_project_collision");
    expect(hint).toContain("svc projects restore shared");
  });

  test("a join is refused for a project with a different binding, and the refusal names what differs", async () => {
    const at = await spoke(open);
    await join(at);
    for (const [body, fields, bound, cure] of [
      [
        { hub_url: "https://other.example" },
        ["hub_url"],
        "the hub https://",
        "svc federation rebind",
      ],
      [
        { hub_project_id: 8 },
        ["hub_project_id"],
        "project 7 of the hub",
        "svc federation leave shared",
      ],
      [{ actor: "tom" }, ["actor"], "the actor sam", "svc federation leave shared"],
    ] as const) {
      const error = await refused(at, body);
      expect(error.code).toBe("federation_binding_conflict");
      expect(error.data).toMatchObject({ fields });
      expect(error.message).toContain(`is bound to ${bound}`);
      expect(error.hint).toContain(cure);
    }
    await makeHub(at.w, { uid: HUB_UID });
    const own = await refused(at);
    expect(own.data).toMatchObject({ fields: ["role", "hub_url", "hub_project_id"] });
    expect(own.message).toContain("this daemon is the hub");
  });

  test("a join is refused while the stored token belongs to another hub, or does not permit the same plain http", async () => {
    const at = await spoke(open);
    await join(at);
    await at.w.store.write(async (tx) => {
      await tx.unfolded.remove("federation_binding", { project_uid: HUB_UID });
    });
    const { stored } = await contents(at);
    const other = await refused(at, { hub_url: "https://other.example", hub_project_id: 8 });
    expect(other.code).toBe("federation_credential_conflict");
    expect(other.data).toMatchObject({ fields: ["hub_url", "hub_project_id"] });
    expect(other.message).toContain("belongs to another hub");
    const plain = await spoke(open);
    const insecure = { hub_url: "http://hub.example", allow_insecure: true };
    await join(plain, insecure);
    await plain.w.store.write(async (tx) => {
      await tx.unfolded.remove("federation_binding", { project_uid: HUB_UID });
    });
    const without = (await plain.credentials.all()).get(HUB_UID);
    if (without === undefined) throw new Error("the token is stored");
    await plain.credentials.store(HUB_UID, { ...without, allow_insecure: false });
    const differing = await refused(plain, insecure);
    expect(differing.data).toMatchObject({ fields: ["allow_insecure"] });
    expect(differing.message).toContain("plain http");
    expect((await contents(at)).stored).toBe(stored);
  });

  test("a join is refused if another database with the same home stored the token, and the status calls the token missing", async () => {
    const at = await spoke(open);
    await join(at);
    const ids = countingIds(20_000);
    const other = { ...at, w: await world({ store: open, ids, replicas: at.replicas }) };
    const before = await contents(other);
    const error = await refused(other, { token: `${TOKEN}-other` });
    expect(error.code).toBe("federation_credential_conflict");
    expect(error.data).toMatchObject({ fields: ["spoke_instance_uid"] });
    expect(error.hint).toContain("SVC_HOME");
    expect(await contents(other)).toEqual(before);
    await bound(other);
    const [status] = (await other.w.call(getFederationStatus)).statuses;
    expect(status).toMatchObject({ role: "spoke", credential_status: "missing" });
    expect(status).not.toHaveProperty("capabilities");
  });

  test("a database that was restored with an identity of its own may join, and its token takes the place of the stored one", async () => {
    const at = await spoke(open);
    await join(at);
    const ids = countingIds(20_000);
    const other = { ...at, w: await world({ store: open, ids, replicas: at.replicas }) };
    await bound(other, { enabled: 0, disabled_reason: "new_instance" });
    const token = `${TOKEN}-other`;
    expect((await join(other, { token })).binding.enabled).toBe(true);
    expect((await at.credentials.all()).get(HUB_UID)).toMatchObject({
      token,
      spoke_instance_uid: other.w.store.instanceUid,
    });
  });

  test("a join is refused for a project that has another name here, or has changes that the hub does not have", async () => {
    const at = await spoke(open);
    const { project } = await join(at);
    await at.w.store.write(async (tx) => {
      await tx.unfolded.remove("federation_binding", { project_uid: HUB_UID });
    });
    const renamed = await refused(at, { project_name: "renamed" });
    expect(renamed.code).toBe("federation_rejoin_name_mismatch");
    expect(renamed.hint).toContain("svc projects rename shared renamed");
    await at.w.given.issue({ project });
    const unsent = await refused(at);
    expect(unsent.code).toBe("federation_rejoin_unsent");
    expect(unsent.hint).toContain("repeat the join with --push");
    expect((await contents(at)).bindings).toEqual([]);
  });

  test("a join is refused for a project that is synced with a repository", async () => {
    const at = await spoke(open);
    const { project } = await join(at);
    await at.w.store.write(async (tx) => {
      await tx.unfolded.remove("federation_binding", { project_uid: HUB_UID });
      await tx.unfolded.put("issue_sync_binding", {
        project_uid: project.uid,
        provider: "github",
        source_key: "github:1",
        remote_id: "1",
        display_name: "a/b",
        config: {},
        enabled: 1,
        interval_seconds: 300,
        last_cursor_at: null,
        created_at: tx.now,
        updated_at: tx.now,
      });
    });
    expect((await refused(at)).code).toBe("issue_sync_federation_conflict");
  });

  test("a join is refused for a project with a bridge, until the bridge has ended", async () => {
    const at = await spoke(open);
    const { project } = await join(at);
    const issue_uid = at.w.ids.ulid();
    const bridge = bridgeRow(at.w, issue_uid, { enabled: 0 });
    await at.w.store.write(async (tx) => {
      await tx.unfolded.remove("federation_binding", { project_uid: HUB_UID });
      await tx.append(created(project.uid ?? HUB_UID, issue_uid));
      await tx.unfolded.put("external_root_binding", bridge);
    });
    expect((await refused(at)).code).toBe("external_root_federation_conflict");
    await at.w.store.write(
      async (tx) => await tx.unfolded.put("external_root_binding", { ...bridge, active: 0 }),
    );
    expect((await refused(at)).code).toBe("federation_rejoin_unsent");
  });

  test("a join is refused without a token, if none is stored", async () => {
    const at = await spoke(open);
    const { token: _token, ...without } = JOIN;
    const error = await at.w.refused(createFederationReplica, { body: without });
    expect(error.data).toMatchObject({ field: "token" });
  });

  test("a join is refused while the file of tokens cannot be used, and the refusal names the file", async () => {
    const at = await spoke(open);
    writeFileSync(at.file, "");
    chmodSync(at.file, 0o644);
    const error = await refused(at);
    expect(error.code).toBe("federation_offline");
    expect(error.data).toMatchObject({ file: at.file });
    expect((await contents(at)).bindings).toEqual([]);
  });

  test.each([
    ["db_token", "token_admin_forbidden"],
    ["trusted_proxy", "token_admin_forbidden"],
    ["trusted_proxy_absent", "token_admin_forbidden"],
    ["web_local", "web_local_operation_forbidden"],
    ["bootstrap", undefined],
    ["static_token", undefined],
  ] as const)(
    "a join is refused to a caller of the kind %s unless it may administer tokens",
    async (kind, code) => {
      const refusal = RIGHTS[kind][createFederationReplica.access];
      expect(refusal === "yes" ? undefined : refusal).toBe(code);
      const who = { kind, local: false, ...(code === undefined ? {} : { actor: "ann" }) };
      const at = await spoke(open, { authenticate: judged(who) });
      const { status } = await at.w.send(createFederationReplica, { body: JOIN });
      expect(status).toBe(code === undefined ? 200 : 403);
      expect((await contents(at)).bindings).toHaveLength(code === undefined ? 1 : 0);
    },
  );
});
