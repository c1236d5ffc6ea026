import { chmodSync, readFileSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { expect, test } from "vitest";
import { credentialsPath } from "../../src/config/credentials.ts";
import {
  listFederationEnrollments,
  revokeFederationEnrollment,
} from "../../src/contract/federation.ts";
import { leaveFederationReplica } from "../../src/contract/federation-replicas.ts";
import { getFederationStatus } from "../../src/contract/federation-status.ts";
import { listIssues } from "../../src/contract/issues.ts";
import { resolveProject } from "../../src/contract/projects.ts";
import { authenticator } from "../../src/daemon/access/authenticate.ts";
import { mapped } from "../support/mapped.ts";
import { answer } from "../support/replica.ts";
import { describeStore } from "../support/store.ts";
import { type OpenStore, type World, world } from "../support/world.ts";

const titles = async (w: World, project_id: number) =>
  (await w.call(listIssues, { params: { project_id } })).issues
    .map(({ title }) => title)
    .toSorted();
const named = async (w: World, name: string) =>
  (await w.call(resolveProject, { body: { name } })).project;
const enrollments = async (w: World) => (await w.call(listFederationEnrollments)).enrollments;

/** Lets the hub do what it is asked, and ends the connection without its answer. */
async function answerLost(hub: World, request: IncomingMessage, response: ServerResponse) {
  const answered = { writeHead: () => undefined, end: () => response.destroy() };
  await answer(hub, request, answered as unknown as ServerResponse);
}

/** A mapping whose hub enrolls, and whose answers about that are lost. */
async function losing(open: OpenStore) {
  const all = await mapped(open);
  let loses = true;
  all.server.intercept((request, response) => {
    const isLost = loses && request.url?.includes("/federation/enrollments") === true;
    if (isLost) void answerLost(all.hub, request, response);
    else void answer(all.hub, request, response);
  });
  return { ...all, lose: (next: boolean) => (loses = next) };
}

/** What a hub answers about its project `b`. */
const answerOf = (changes: object): string => {
  const uid = "01J00000000000000000PRXJE1";
  const project = { id: 1, uid, name: "b", metadata: {}, revision: 1, created_at: CREATED };
  return JSON.stringify({ project: { ...project, ...changes } });
};
const CREATED = "2026-01-01T00:00:00.000Z";

const DONE = { configured: 1, reconciled: 1, pending: 0, conflicted: 0 };
const PENDING = { configured: 1, reconciled: 0, pending: 1, conflicted: 0 };
const CONFLICT = { configured: 1, reconciled: 0, pending: 0, conflicted: 1 };

describeStore("a mapping of config.toml", (open) => {
  test("a mapping creates a copy under a name of its own, which sends changes and reads the hub", async () => {
    const { hub, spoke, start, pass, server } = await mapped(open);
    const { sweep, health } = await start();
    expect(health()).toEqual(PENDING);
    expect(await sweep()).toBe(Number.POSITIVE_INFINITY);
    const now = spoke.clock.now();
    expect(health()).toEqual({ ...DONE, last_attempt_at: now, last_success_at: now });
    const [here, there] = [await named(spoke, "a"), await named(hub, "b")];
    expect(here.uid).toBe(there.uid);
    await hub.given.issue({ project: there, title: "of the hub" });
    await spoke.given.issue({ project: here, title: "of the spoke" });
    for (let passes = 0; passes < 3; passes += 1) await pass(here.uid);
    const both = ["of the hub", "of the spoke"];
    expect(await titles(spoke, here.id)).toEqual(both);
    expect(await titles(hub, there.id)).toEqual(both);
    const asked = server.asked.length;
    await sweep();
    expect(server.asked.length).toBe(asked);
    const { statuses } = await spoke.call(getFederationStatus);
    expect(statuses).toMatchObject([
      { role: "spoke", push_enabled: true, bound_actor: "sam", hub_url: server.origin },
    ]);
  });

  test("a mapping hands over a project that exists here already, with its issues, to the hub", async () => {
    const { hub, spoke, start, pass } = await mapped(open);
    const own = await spoke.given.project("a");
    await spoke.given.issue({ project: own, title: "mine" });
    const there = await hub.given.project("b");
    await hub.given.issue({ project: there, title: "theirs" });
    const { sweep, health } = await start();
    await sweep();
    expect(health()).toMatchObject(DONE);
    for (let passes = 0; passes < 3; passes += 1) await pass(there.uid);
    expect(await titles(spoke, own.id)).toEqual(["mine", "theirs"]);
    expect(await titles(hub, there.id)).toEqual(["mine", "theirs"]);
  });

  test("a mapping is not enrolled again after a restart, and its hub is asked only for the project", async () => {
    const { hub, start, server } = await mapped(open);
    await (await start()).sweep();
    const before = server.asked.length;
    const { sweep, health } = await start();
    await sweep();
    expect(health()).toMatchObject(DONE);
    expect(server.asked.slice(before).map(({ url }) => url)).toEqual(["/api/v1/projects/resolve"]);
    expect(await enrollments(hub)).toHaveLength(1);
  });

  test("a mapping whose hub cannot be reached is tried again less and less often, and its project can be used meanwhile", async () => {
    const { spoke, start, server, hub } = await mapped(open);
    server.intercept((_request, response) => response.destroy());
    const { sweep, health } = await start();
    expect(await sweep()).toBe(1000);
    expect(health()).toMatchObject({ ...PENDING, last_error_category: "hub_unavailable" });
    expect(health()).not.toHaveProperty("last_error_status");
    const here = await named(spoke, "a");
    await spoke.given.issue({ project: here, title: "written meanwhile" });
    const asked = server.asked.length;
    await sweep();
    expect(server.asked.length).toBe(asked);
    spoke.clock.advance(1000);
    expect(await sweep()).toBe(2000);
    server.intercept(undefined);
    spoke.clock.advance(2000);
    await sweep();
    expect(health()).toMatchObject({ ...DONE, last_error_category: "hub_unavailable" });
    const there = await named(hub, "b");
    await spoke.federation.pull(there.uid, new AbortController().signal);
    expect(await titles(hub, there.id)).toEqual(["written meanwhile"]);
  });

  test.each([
    [401, "hub_authentication"],
    [403, "hub_authentication"],
    [408, "hub_unavailable"],
    [429, "hub_unavailable"],
    [500, "hub_unavailable"],
    [503, "hub_unavailable"],
    [400, "hub_validation"],
    [404, "hub_validation"],
    [422, "hub_validation"],
  ])(
    "a mapping that the hub refuses with %d is pending with the error %s",
    async (status, category) => {
      const { start, server } = await mapped(open);
      server.intercept((_request, response) => response.writeHead(status).end("no json"));
      const { sweep, health } = await start();
      await sweep();
      expect(health()).toMatchObject({
        ...PENDING,
        last_error_category: category,
        last_error_status: status,
      });
    },
  );

  test.each([
    ["that is no JSON", "<html>", 200],
    ["of another project", answerOf({ name: "c" }), 200],
    ["with a uid that is none", answerOf({ uid: "x" }), 200],
    ["with an id that is none", answerOf({ id: 0 }), 200],
    ["that leads to another origin", "", 307],
    ["that is too large", `{"a":"${"x".repeat(1024 * 1024)}"}`, 200],
  ])("a mapping is pending after an answer of the hub %s", async (_what, body, status) => {
    const { start, server } = await mapped(open);
    server.intercept((_request, response) =>
      response.writeHead(status, { location: "http://127.0.0.1:1/" }).end(body),
    );
    const { sweep, health } = await start();
    await sweep();
    expect(health()).toMatchObject({ ...PENDING, last_error_category: "hub_validation" });
  });

  test("a mapping sends the token of its hub's entry, and nothing while the token's environment variable is not set", async () => {
    const { start, server, env } = await mapped(open);
    const token = env["HUB_TOKEN"] ?? "";
    delete env["HUB_TOKEN"];
    const { sweep, health } = await start();
    await sweep();
    expect(health()).toMatchObject({ ...PENDING, last_error_category: "hub_authentication" });
    expect(server.asked).toEqual([]);
    env["HUB_TOKEN"] = token;
    const again = await start();
    await again.sweep();
    expect(again.health()).toMatchObject(DONE);
    const sent = server.asked.filter(({ url }) => url?.includes("/enrollments") === true);
    expect(sent[0]?.headers.authorization).toBe(`Bearer ${token}`);
  });

  test("a mapping waits and asks no hub while other users can read the file of credentials", async () => {
    const { start, server, home, spoke } = await mapped(open);
    await (await start()).sweep();
    const path = credentialsPath(home);
    chmodSync(path, 0o644);
    const before = server.asked.length;
    const { sweep, health } = await start();
    await sweep();
    expect(health()).toMatchObject({ ...PENDING, last_error_category: "credential_io" });
    expect(server.asked.length).toBe(before);
    chmodSync(path, 0o600);
    spoke.clock.advance(1000);
    await sweep();
    expect(health()).toMatchObject(DONE);
  });

  test("a mapping whose hub has another address now is reported as a conflict, and the copy keeps its hub", async () => {
    const { start, spoke, entry } = await mapped(open);
    await (await start()).sweep();
    const before = await spoke.call(getFederationStatus);
    const catalog = entry.replace(/url = "[^"]+"/, 'url = "https://moved.example"');
    const { sweep, health } = await start([{}], { catalog });
    expect(await sweep()).toBe(1000);
    expect(health()).toMatchObject({ ...CONFLICT, last_error_category: "binding_conflict" });
    expect(await spoke.call(getFederationStatus)).toEqual(before);
  });

  test("a mapping whose actor or project was changed is reported as a conflict of the configuration", async () => {
    const { start } = await mapped(open);
    await (await start()).sweep();
    for (const changes of [{ actor: "bea" }, { hub_project: "c" }]) {
      const { sweep, health } = await start([changes]);
      await sweep();
      expect(health()).toMatchObject({
        ...CONFLICT,
        last_error_category: "configuration_conflict",
      });
    }
  });

  test("a mapping does not enroll with another project that has the old project's name at the hub", async () => {
    const { start, server, spoke } = await mapped(open);
    await (await start()).sweep();
    const { hub: other } = await mapped(open);
    await other.given.project("z");
    await other.given.project("b");
    server.serve(other);
    const { sweep, health } = await start();
    await sweep();
    expect(health()).toMatchObject({ ...CONFLICT, last_error_category: "binding_conflict" });
    expect(await enrollments(other)).toEqual([]);
    expect((await named(spoke, "a")).uid).not.toBe((await named(other, "b")).uid);
  });

  test("a mapping is reported as a conflict if its token was made for a project that the hub no longer has", async () => {
    const { start, server } = await mapped(open);
    let refuses = true;
    server.intercept((request, response) => {
      if (refuses && request.url?.endsWith("/federation/enrollments") === true)
        response.writeHead(503).end();
      else void answer(current, request, response);
    });
    let current = (await mapped(open)).hub;
    const { sweep, health } = await start();
    await sweep();
    refuses = false;
    current = (await mapped(open)).hub;
    const again = await start();
    await again.sweep();
    expect(health()).toMatchObject({ last_error_status: 503 });
    expect(again.health()).toMatchObject({
      ...CONFLICT,
      last_error_category: "configuration_conflict",
    });
    expect(await enrollments(current)).toEqual([]);
  });

  test("a mapping that lost the answer to its enrollment repeats the request with the same token", async () => {
    const { start, hub, spoke, lose } = await losing(open);
    const { sweep, health } = await start();
    await sweep();
    expect(health()).toMatchObject({ ...PENDING, last_error_category: "hub_unavailable" });
    lose(false);
    spoke.clock.advance(1000);
    await sweep();
    expect(health()).toMatchObject(DONE);
    const asked = {
      capabilities: ["claim", "pull", "push"],
      allow_adoption_snapshot_authors: true,
    };
    expect(await enrollments(hub)).toMatchObject([{ ...asked, actor: "sam" }]);
  });

  test("a mapping whose token was revoked before it was used stays pending, and gets no other token", async () => {
    const { start, hub, spoke, lose } = await losing(open);
    const { sweep, health } = await start();
    await sweep();
    lose(false);
    const [made] = await enrollments(hub);
    await hub.call(revokeFederationEnrollment, { params: { enrollment_id: made?.id ?? 0 } });
    spoke.clock.advance(1000);
    await sweep();
    const last = { last_error_category: "hub_validation", last_error_status: 409 };
    expect(health()).toMatchObject({ ...PENDING, ...last });
    expect(await enrollments(hub)).toHaveLength(1);
  });

  test("an enrollment whose permission to hand over is already used up is still found by its token", async () => {
    const { start, hub, spoke, lose } = await losing(open);
    const { sweep, health } = await start();
    await sweep();
    lose(false);
    await hub.store.write(async (tx) => {
      const [row] = await tx.unfolded.list("federation_enrollment", 1);
      if (row === undefined) throw new Error("the hub has enrolled nobody");
      await tx.unfolded.put("federation_enrollment", {
        ...row,
        allow_adoption_snapshot_authors: 0,
      });
    });
    spoke.clock.advance(1000);
    await sweep();
    expect(health()).toMatchObject(DONE);
    expect(await enrollments(hub)).toHaveLength(1);
  });

  test("a mapping to a hub with personal tokens is bound to the person of its token", async () => {
    const token = "bootstrap-0123456789-0123456789";
    const lookup = async () => await Promise.resolve({ id: 1, actor: "zoe" });
    const hub = await world({
      ...{ store: open, authenticate: authenticator({ mode: "identity", token, lookup }) },
    });
    const { start, spoke, env, credentials } = await mapped(open, hub);
    const personal = env["HUB_TOKEN"] ?? "";
    env["HUB_TOKEN"] = token;
    const configured = await start();
    await configured.sweep();
    const refused = { last_error_category: "hub_authentication", last_error_status: 403 };
    expect(configured.health()).toMatchObject({ ...PENDING, ...refused });
    env["HUB_TOKEN"] = personal;
    const { sweep, health } = await start();
    await sweep();
    expect(health()).toMatchObject(DONE);
    expect((await spoke.call(getFederationStatus)).statuses).toMatchObject([
      { bound_actor: "zoe" },
    ]);
    const asked = { requested_actor: "sam" };
    expect([...(await credentials.all()).values()]).toMatchObject([
      { actor: "zoe", managed: asked },
    ]);
    const again = await start();
    await again.sweep();
    expect(again.health()).toMatchObject(DONE);
  });

  test("a mapping whose project has left its hub is not joined again before a restart", async () => {
    const { start, spoke, server, hub } = await mapped(open);
    await (await start()).sweep();
    server.intercept((_request, response) => response.destroy());
    const { sweep, health } = await start();
    await sweep();
    expect(health()).toMatchObject(PENDING);
    const { id: project_id } = await named(spoke, "a");
    for (const body of [{ prepare: true }, {}])
      await spoke.call(leaveFederationReplica, { params: { project_id }, body });
    server.intercept(undefined);
    spoke.clock.advance(60_000);
    expect(await sweep()).toBe(Number.POSITIVE_INFINITY);
    expect(health()).toMatchObject(DONE);
    expect((await spoke.call(getFederationStatus)).statuses).toEqual([]);
    expect(await enrollments(hub)).toHaveLength(1);
  });

  test("health and the log show no names, addresses or tokens of a mapping", async () => {
    const { start, server, home, env } = await mapped(open);
    const lines: unknown[] = [];
    const note = (...words: readonly unknown[]) => void lines.push(words);
    const log = { debug: note, info: note, warn: note, error: note, child: () => log };
    const secret = { spoke_project: "secret-a", hub_project: "secret-b", actor: "secret-actor" };
    server.intercept((request, response) =>
      response.writeHead(400).end(`{"error":{"code":"validation","message":"${request.url}"}}`),
    );
    const { sweep, health } = await start([secret], { log });
    await sweep();
    server.intercept(undefined);
    const again = await start([secret], { log });
    await again.sweep();
    const said = JSON.stringify([lines, health(), again.health()]);
    expect(lines.length).toBeGreaterThan(1);
    const token = /token = "([^"]+)"/.exec(readFileSync(credentialsPath(home), "utf8"))?.[1];
    for (const word of ["secret", server.origin, env["HUB_TOKEN"], token, "resolve"])
      expect(said).not.toContain(word ?? "nothing");
  });
});
