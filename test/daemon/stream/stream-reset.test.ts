import { describe, expect, test } from "vitest";
import { call, openStream, type TestDaemon, testDaemon } from "../../support/daemon.ts";

interface Named {
  readonly id: number;
  readonly uid: string;
}

async function post(daemon: TestDaemon, path: string, body: object, headers = {}) {
  const answer = await call(daemon.endpoint, "POST", path, {
    body: { actor: "ann", ...body },
    headers,
  });
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer.body;
}

async function twoProjects() {
  const daemon = await testDaemon();
  const project = async (name: string) =>
    (await post(daemon, "/projects", { name }))["project"] as Named;
  const [web, shop] = [await project("web"), await project("shop")];
  const created = await post(daemon, `/projects/${web.id}/issues`, { title: "one" });
  const issue = created["issue"] as Named & { qualified_id: string };
  const purge = async () => {
    const path = `/projects/${web.id}/issues/${issue.uid}/actions/purge`;
    const headers = { "x-svc-confirm": `PURGE ${issue.qualified_id}` };
    const { purge_log } = await post(daemon, path, {}, headers);
    return (purge_log as { purge_reset_after_event_id: number }).purge_reset_after_event_id;
  };
  return { daemon, web, shop, purge };
}

const reset = (id: number) => ({
  id,
  event: "sync.reset_required",
  data: { event_id: id, reset_after_id: id },
});

describe("a purge of an issue", () => {
  test("resets the open streams of its project and of all projects, and no others", async () => {
    const { daemon, web, shop, purge } = await twoProjects();
    const at = async (query: string) => await openStream(daemon.endpoint, `/events/stream${query}`);
    const all = await at("?after_id=0");
    const own = await at(`?after_id=0&project_id=${web.id}`);
    const other = await at(`?after_id=0&project_id=${shop.id}`);
    await Promise.all([all.take(3), own.take(2), other.take(1)]);
    const id = await purge();
    expect((await all.take(4)).at(-1)).toMatchObject(reset(id));
    expect((await own.take(3)).at(-1)).toMatchObject(reset(id));
    await Promise.all([all.end, own.end]);
    await post(daemon, `/projects/${shop.id}/issues`, { title: "two" });
    expect((await other.take(2)).map((frame) => frame.event)).toEqual([
      "project.created",
      "issue.created",
    ]);
  });

  test("resets a new stream whose cursor is before the purge, but not one whose cursor is at the purge", async () => {
    const { daemon, purge } = await twoProjects();
    const id = await purge();
    const below = await openStream(daemon.endpoint, `/events/stream?after_id=${id - 1}`);
    expect(await below.take(1)).toMatchObject([reset(id)]);
    await below.end;
    const at = await openStream(daemon.endpoint, `/events/stream?after_id=${id}`);
    const { body } = await call(daemon.endpoint, "POST", "/projects", {
      body: { name: "next", actor: "ann" },
    });
    expect(await at.take(1)).toMatchObject([
      { id: id + 1, data: { project_uid: (body["project"] as Named).uid } },
    ]);
  });
});

describe("a merge of two projects", () => {
  test("ends the open streams of the project that is merged away", async () => {
    const { daemon, web, shop } = await twoProjects();
    const path = `/events/stream?after_id=0&project_id=${web.id}`;
    const gone = await openStream(daemon.endpoint, path);
    await gone.take(2);
    await post(daemon, `/projects/${shop.id}/merge`, { source_project_id: web.id });
    expect((await gone.take(3)).at(-1)).toMatchObject({ event: "sync.reset_required" });
    await gone.end;
  });
});
