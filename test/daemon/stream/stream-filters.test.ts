import { describe, expect, test } from "vitest";
import { FakeClock } from "../../support/clock.ts";
import { call, openStream, type TestDaemon, testDaemon } from "../../support/daemon.ts";

interface Project {
  readonly id: number;
  readonly uid: string;
}

interface Issue {
  readonly uid: string;
  readonly revision: number;
  readonly project_id: number;
}

async function post(
  daemon: TestDaemon,
  path: string,
  body: object,
  headers: Readonly<Record<string, string>> = {},
) {
  const answer = await call(daemon.endpoint, "POST", path, {
    body: { actor: "ann", ...body },
    headers,
  });
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer.body;
}

async function two(clock?: FakeClock) {
  const daemon = await testDaemon(clock === undefined ? {} : { clock });
  const project = async (name: string) =>
    (await post(daemon, "/projects", { name }))["project"] as Project;
  const [web, shop] = [await project("web"), await project("shop")];
  const issue = async (of: Project, title: string) => {
    const path = `/projects/${of.id}/issues`;
    return (await post(daemon, path, { title, force_new: true }))["issue"] as Issue;
  };
  const [one, other] = [await issue(web, "one"), await issue(web, "two")];
  const label = async ({ project_id, uid }: Issue, name: string, actor = "ann") =>
    await post(daemon, `/projects/${project_id}/issues/${uid}/labels`, { label: name, actor });
  const follow = async (query: string, headers = {}) =>
    await openStream(daemon.endpoint, `/events/stream?${query}`, headers);
  return { daemon, web, shop, one, other, label, follow, project };
}

const ids = (text: string): readonly number[] =>
  [...text.matchAll(/^id: (\d+)$/gm)].map((found) => Number(found[1]));

describe("a stream with filters", () => {
  test("a stream sends each reader the old and new events that match its filters", async () => {
    const w = await two();
    const readers = {
      kind: await w.follow("after_id=0&type=issue.labeled&type=project.*"),
      actor: await w.follow("after_id=0&actor=bea"),
      issue: await w.follow(`after_id=0&issue=${w.one.uid}`),
      both: await w.follow(`after_id=0&issue=${w.one.uid}&actor=bea`),
      all: await w.follow("after_id=0"),
    };
    await readers.all.take(4);
    await w.label(w.one, "a");
    await w.label(w.one, "b", "bea");
    await w.label(w.other, "c", "bea");
    await readers.all.take(7);
    const seen = async (reader: (typeof readers)["all"], count: number) =>
      (await reader.take(count)).map(({ id }) => id);
    expect(await seen(readers.kind, 5)).toEqual([1, 2, 5, 6, 7]);
    expect(await seen(readers.actor, 2)).toEqual([6, 7]);
    expect(await seen(readers.issue, 3)).toEqual([3, 5, 6]);
    expect(await seen(readers.both, 1)).toEqual([6]);
    for (const reader of Object.values(readers))
      expect(ids(reader.text())).toEqual(ids(reader.text()).toSorted((a, b) => a - b));
  });

  test("a stream sends its position once it has caught up, and with each heartbeat", async () => {
    const clock = new FakeClock();
    const w = await two(clock);
    const quiet = await w.follow("after_id=0&actor=nobody");
    await quiet.until(() => quiet.text().endsWith("id: 4\n\n"));
    await w.label(w.one, "a");
    const all = await w.follow("after_id=4");
    await all.take(1);
    expect(ids(quiet.text())).toEqual([4]);
    for (let tick = 1; tick <= 5; tick++) {
      clock.advance(5_000);
      await call(w.daemon.endpoint, "GET", "/ping");
    }
    await quiet.until(() => quiet.text().endsWith(": keepalive\n\nid: 5\n\n"));
    expect(quiet.frames()).toEqual([]);
    expect(ids(all.text())).toEqual([5]);
  });

  test("a stream of an issue follows it into another project and shows the events there", async () => {
    const w = await two();
    const stream = await w.follow(`after_id=0&issue=${w.one.uid}`);
    await stream.take(1);
    const path = `/projects/${w.web.id}/issues/${w.one.uid}/actions/move`;
    const match = { "if-match": `"rev-${w.one.revision}"` };
    await post(w.daemon, path, { to_project_uid: w.shop.uid }, match);
    const remove = `/projects/${w.shop.id}?actor=ann&force=true`;
    expect((await call(w.daemon.endpoint, "DELETE", remove)).status).toBe(200);
    expect((await stream.take(3)).map(({ event }) => event)).toEqual([
      "issue.created",
      "issue.moved",
      "project.removed",
    ]);
  });

  test("a stream of an issue follows it when its project is merged away", async () => {
    const w = await two();
    const stream = await w.follow(`after_id=0&issue=${w.one.uid}`);
    await stream.take(1);
    await post(w.daemon, `/projects/${w.shop.id}/merge`, { source_project_id: w.web.id });
    await w.label({ ...w.one, project_id: w.shop.id }, "x");
    expect((await stream.take(3)).map(({ event }) => event)).toEqual([
      "issue.created",
      "project.merged",
      "issue.labeled",
    ]);
  });

  test("a stream of several projects leaves out other projects, and ends as soon as one of its own is archived", async () => {
    const w = await two();
    const api = await w.project("api");
    const stream = await w.follow(`after_id=0&project_id=${w.shop.id}&project_id=${api.id}`);
    expect((await stream.take(2)).map(({ id }) => id)).toEqual([2, 5]);
    await call(w.daemon.endpoint, "DELETE", `/projects/${w.web.id}?actor=ann&force=true`);
    await call(w.daemon.endpoint, "DELETE", `/projects/${api.id}?actor=ann&force=true`);
    await stream.end;
    expect(stream.frames().map(({ event }) => event)).toEqual([
      "project.created",
      "project.created",
      "project.removed",
      "sync.reset_required",
    ]);
  });

  test("a stream is reset by a purge in its own project, and by any purge if it names no project", async () => {
    const w = await two();
    const streams = {
      actor: await w.follow("after_id=4&actor=nobody"),
      web: await w.follow(`after_id=4&actor=nobody&project_id=${w.web.id}`),
      shop: await w.follow(`after_id=4&actor=nobody&project_id=${w.shop.id}`),
    };
    const shown = await call(w.daemon.endpoint, "GET", `/issues/${w.one.uid}`);
    const { qualified_id } = shown.body["issue"] as { readonly qualified_id: string };
    const path = `/projects/${w.web.id}/issues/${w.one.uid}/actions/purge`;
    await post(w.daemon, path, {}, { "x-svc-confirm": `PURGE ${qualified_id}` });
    for (const stream of [streams.actor, streams.web]) {
      await stream.end;
      expect(stream.frames().map(({ event }) => event)).toEqual(["sync.reset_required"]);
    }
    expect(streams.shop.frames()).toEqual([]);
  });

  test.each([
    ["an unknown kind", "type=issue.nonsense", 400, "validation"],
    ["a missing issue", "issue=01M7YPD9HK0SR9DFRB44M11X64", 404, "issue_not_found"],
    ["a short id without a project", "issue=abc4", 404, "issue_not_found"],
    ["one missing project of two", "project_id=1&project_id=99", 404, "project_not_found"],
    ["more than 100 values", "actor=a&".repeat(101), 400, "validation"],
  ])("a stream is refused for %s", async (_what, query, status, code) => {
    const w = await two();
    const answer = await call(w.daemon.endpoint, "GET", `/events/stream?${query}`, {
      headers: { accept: "text/event-stream" },
    });
    expect([answer.status, answer.body["error"]]).toEqual([
      status,
      expect.objectContaining({ code }),
    ]);
  });
});

test("GET /instance names the newest event", async () => {
  const w = await two();
  const last = async () =>
    (await call(w.daemon.endpoint, "GET", "/instance")).body["last_event_id"];
  expect(await last()).toBe(4);
  await w.label(w.one, "a");
  expect(await last()).toBe(5);
});
