import { describe, expect, test } from "vitest";
import { systemClock } from "../../../src/base/clock.ts";
import { systemIds } from "../../../src/base/ids.ts";
import { openStore } from "../../../src/store/open.ts";
import type { Store } from "../../../src/store/types/store.ts";
import { FakeClock } from "../../support/clock.ts";
import {
  call,
  type Frame,
  openStream,
  type TestDaemon,
  tempFolder,
  testDaemon,
  WAYS,
} from "../../support/daemon.ts";
import { postgresDsn } from "../../support/postgres.ts";
import { sqliteDatabase } from "../../support/store.ts";

interface Project {
  readonly id: number;
  readonly uid: string;
}

async function project(daemon: TestDaemon, name: string): Promise<Project> {
  const { body } = await call(daemon.endpoint, "POST", "/projects", {
    body: { name, actor: "ann" },
  });
  return body["project"] as Project;
}

async function issue(daemon: TestDaemon, { id }: Project, title: string): Promise<string> {
  const { status, body } = await call(daemon.endpoint, "POST", `/projects/${id}/issues`, {
    body: { title, actor: "ann", force_new: true },
  });
  expect(status).toBe(200);
  return (body["issue"] as { uid: string }).uid;
}

/** Writes a log of `count` events about projects before the daemon starts. Returns the database. */
async function filledLog(
  count: number,
  of: (number: number) => string = () => "P",
): Promise<string> {
  const database = await sqliteDatabase();
  const store = await database.open();
  await appendEvents(store, count, of);
  await store.close();
  return database.target.dsn;
}

async function appendEvents(
  store: Store,
  count: number,
  of: (number: number) => string,
): Promise<void> {
  const ids = systemIds();
  const uids = new Map<string, string>();
  await store.write(async (tx) => {
    for (let number = 1; number <= count; number++) {
      const name = of(number);
      const project_uid = uids.get(name) ?? ids.ulid();
      const known = uids.has(name);
      uids.set(name, project_uid);
      if (known) {
        const payload = { diff: { n: { to: number } }, revision_new: number, updated_at: tx.now };
        await tx.append({ type: "project.metadata_updated", actor: "ann", project_uid, payload });
      } else {
        await tx.append({ type: "project.created", actor: "ann", project_uid, payload: { name } });
      }
    }
  });
}

describe.each(WAYS)("a stream %s", (_way, at) => {
  test("a stream starts with existing events and continues with new ones", async () => {
    const daemon = await testDaemon();
    const web = await project(daemon, "web");
    const first = await issue(daemon, web, "before");
    const stream = await openStream(at(daemon));
    expect(stream.response.headers).toMatchObject({
      "content-type": "text/event-stream",
      "cache-control": "private, no-cache",
    });
    const { connection, "content-encoding": encoding } = stream.response.headers;
    expect([connection, encoding]).toEqual([
      at === WAYS[0][1] ? "keep-alive" : undefined,
      undefined,
    ]);
    await stream.take(2);
    expect(stream.text().startsWith(": connected\n\n")).toBe(true);
    const second = await issue(daemon, web, "after");
    const frames = await stream.take(3);
    expect(frames.map(({ id, event }) => [id, event])).toEqual([
      [1, "project.created"],
      [2, "issue.created"],
      [3, "issue.created"],
    ]);
    expect(frames.map(({ data }) => data["issue_uid"])).toEqual([undefined, first, second]);
    expect(frames[2]?.data).toMatchObject({
      event_id: 3,
      project_name: "web",
      issue_short_id: expect.any(String),
      payload: { title: "after" },
    });
  });

  test("a stream sends each event in the same form as a poll", async () => {
    const daemon = await testDaemon();
    const web = await project(daemon, "web");
    await issue(daemon, web, "one");
    const { body } = await call(at(daemon), "GET", "/events");
    const stream = await openStream(at(daemon));
    expect((await stream.take(2)).map(({ data }) => data)).toEqual(body["events"]);
  });

  test.each([
    ["after_id", "?after_id=2", {}],
    ["Last-Event-ID", "", { "last-event-id": "2" }],
  ])("a stream continues after %s", async (_how, query, headers) => {
    const daemon = await testDaemon();
    const web = await project(daemon, "web");
    for (const title of ["one", "two", "three"]) await issue(daemon, web, title);
    const stream = await openStream(at(daemon), `/events/stream${query}`, headers);
    expect((await stream.take(2)).map(({ id }) => id)).toEqual([3, 4]);
  });

  test("a stream of one project leaves out the others, in old and in new events", async () => {
    const daemon = await testDaemon();
    const [web, api] = [await project(daemon, "web"), await project(daemon, "api")];
    await issue(daemon, web, "web one");
    await issue(daemon, api, "api one");
    const stream = await openStream(at(daemon), `/events/stream?project_id=${api.id}`);
    await stream.take(2);
    await issue(daemon, web, "web two");
    await issue(daemon, api, "api two");
    const frames = await stream.take(3);
    expect(frames.map(({ data }) => data["project_name"])).toEqual(["api", "api", "api"]);
    expect(frames.map(({ id }) => id)).toEqual([2, 4, 6]);
  });

  test("a stream misses no event and repeats none while many clients write", async () => {
    const daemon = await testDaemon();
    const web = await project(daemon, "web");
    const writers = Array.from({ length: 8 }, async (_, writer) => {
      for (let turn = 0; turn < 10; turn++) await issue(daemon, web, `${writer} ${turn}`);
    });
    const streams = [];
    for (let reader = 0; reader < 5; reader++) streams.push(await openStream(at(daemon)));
    await Promise.all(writers);
    streams.push(await openStream(at(daemon)));
    const expected = Array.from({ length: 81 }, (_, at) => at + 1);
    for (const stream of streams) {
      await stream.take(81);
      expect(stream.frames().map(({ id }) => id)).toEqual(expected);
    }
  });

  test("a stream sends a heartbeat every 25 seconds", async () => {
    const clock = new FakeClock();
    const daemon = await testDaemon({ clock });
    const stream = await openStream(at(daemon));
    await stream.until(() => stream.text() !== "");
    for (let tick = 1; tick <= 10; tick++) {
      clock.advance(5_000);
      await call(at(daemon), "GET", "/ping");
    }
    await stream.until(() => stream.comments().length >= 3);
    expect(stream.comments()).toEqual([": connected", ": keepalive", ": keepalive"]);
  });

  test("a stream that nobody reads is cut off, and its reader resumes by its cursor", async () => {
    const daemon = await testDaemon();
    const web = await project(daemon, "web");
    const slow = await openStream(at(daemon));
    const quick = await openStream(at(daemon));
    await Promise.all([slow.take(1), quick.take(1)]);
    slow.pause();
    const body = "x".repeat(400_000);
    const { id } = web;
    for (let number = 0; number < 12; number++) {
      await call(at(daemon), "POST", `/projects/${id}/issues`, {
        body: { title: `big ${number}`, body, actor: "ann", force_new: true },
      });
    }
    expect((await quick.take(13)).map((frame) => frame.id)).toHaveLength(13);
    slow.response.resume();
    await slow.end;
    const seen = slow.frames().at(-1)?.id ?? 0;
    expect(seen).toBeLessThan(13);
    const resumed = await openStream(at(daemon), "/events/stream", {
      "last-event-id": String(seen),
    });
    const rest = await resumed.take(13 - seen);
    expect(rest.map((frame) => frame.id)).toEqual(
      Array.from({ length: 13 - seen }, (_, at) => seen + 1 + at),
    );
  });
});

describe.each(WAYS)("opening a stream %s", (_way, at) => {
  test.each<[string, string, Readonly<Record<string, string>>, number, string]>([
    ["without an Accept header", "", { accept: "" }, 406, "not_acceptable"],
    ["that accepts only another type", "", { accept: "application/json" }, 406, "not_acceptable"],
    ["with two cursors", "?after_id=1", { "last-event-id": "1" }, 400, "cursor_conflict"],
    ["with two cursors of zero", "?after_id=0", { "last-event-id": "0" }, 400, "cursor_conflict"],
    ["with a cursor that is no integer", "?after_id=x", {}, 400, "validation"],
    ["with a negative cursor", "?after_id=-1", {}, 400, "validation"],
    ["with an invalid Last-Event-ID", "", { "last-event-id": "1.5" }, 400, "validation"],
    ["for a project that is no number", "?project_id=web", {}, 400, "validation"],
    ["for a project that does not exist", "?project_id=77", {}, 404, "project_not_found"],
  ])("a stream is refused %s", async (_how, query, headers, status, code) => {
    const daemon = await testDaemon();
    const answer = await call(at(daemon), "GET", `/events/stream${query}`, {
      headers: { accept: "text/event-stream", ...headers },
    });
    expect([answer.status, answer.body["error"]]).toEqual([
      status,
      expect.objectContaining({ code }),
    ]);
  });

  test.each(["POST", "PUT", "DELETE", "HEAD"])(
    "a stream is refused with the method %s, and the answer names GET",
    async (method) => {
      const daemon = await testDaemon();
      const answer = await call(at(daemon), method, "/events/stream", {
        headers: { accept: "*/*" },
      });
      expect([answer.status, answer.headers.allow]).toEqual([405, "GET"]);
    },
  );

  test.each(["*/*", "text/html, text/event-stream;q=0.5"])(
    "a stream is opened with Accept: %s",
    async (accept) => {
      const daemon = await testDaemon();
      const stream = await openStream(at(daemon), "/events/stream", { accept });
      expect(stream.response.statusCode).toBe(200);
    },
  );
});

describe.each(WAYS)("a reset %s", (_way, at) => {
  test("a reset is sent for a cursor beyond the end of the log, and ends the stream", async () => {
    const dsn = await filledLog(5);
    const daemon = await testDaemon({ dsn });
    const stream = await openStream(at(daemon), "/events/stream?after_id=6");
    await stream.end;
    expect(stream.frames()).toEqual([resetFrame(5)]);
    expect(stream.response.complete).toBe(true);
  });

  test.each([
    [10_000, 10_000],
    [10_001, 1],
  ])("a new stream of a log with %i events gets %i frames", async (count, frames) => {
    const dsn = await filledLog(count);
    const daemon = await testDaemon({ dsn });
    const stream = await openStream(at(daemon));
    await stream.take(frames);
    if (frames > 1)
      expect(stream.frames().at(-1)).toMatchObject({
        id: count,
        event: "project.metadata_updated",
      });
    else expect(stream.frames()).toEqual([resetFrame(count)]);
  });

  test("only the events of the followed project count for the limit beyond which a new stream is reset", async () => {
    const dsn = await filledLog(10_500, (number) => (number % 100 === 0 ? "rare" : "busy"));
    const daemon = await testDaemon({ dsn });
    const { body } = await call(at(daemon), "GET", "/projects");
    const projects = body["projects"] as readonly (Project & { name: string })[];
    const idOf = (name: string): number => projects.find((found) => found.name === name)?.id ?? 0;
    const rare = await openStream(at(daemon), `/events/stream?project_id=${idOf("rare")}`);
    expect((await rare.take(105)).at(-1)).toMatchObject({ id: 10_500 });
    const busy = await openStream(at(daemon), `/events/stream?project_id=${idOf("busy")}`);
    await busy.end;
    expect(busy.frames()).toEqual([resetFrame(10_500)]);
  });
});

describe("daemons on one PostgreSQL database", () => {
  test("a write by one of two daemons on a database reaches the streams of both", async () => {
    const dsn = await postgresDsn();
    const [one, two] = [
      await testDaemon({ dsn, folder: tempFolder() }),
      await testDaemon({ dsn, folder: tempFolder() }),
    ];
    const web = await project(one, "web");
    const stream = await openStream(two.endpoint);
    await stream.take(1);
    const uid = await issue(one, web, "from the other daemon");
    expect((await stream.take(2)).at(-1)).toMatchObject({
      id: 2,
      event: "issue.created",
      data: { issue_uid: uid },
    });
    await issue(two, web, "from this one");
    expect((await stream.take(3)).at(-1)).toMatchObject({ id: 3 });
  });

  test("daemons on one database stream the same order of events while both write", async () => {
    const dsn = await postgresDsn();
    const daemons = [
      await testDaemon({ dsn, folder: tempFolder() }),
      await testDaemon({ dsn, folder: tempFolder() }),
    ];
    const [first] = daemons;
    if (first === undefined) throw new Error("two daemons were started");
    const web = await project(first, "web");
    const streams = await Promise.all(
      daemons.map(async (daemon) => await openStream(daemon.endpoint)),
    );
    await Promise.all(
      daemons.flatMap((daemon, at) =>
        Array.from({ length: 4 }, async (_, writer) => {
          for (let turn = 0; turn < 5; turn++) await issue(daemon, web, `${at} ${writer} ${turn}`);
        }),
      ),
    );
    const expected = Array.from({ length: 41 }, (_, at) => at + 1);
    for (const stream of streams) {
      await stream.take(41);
      expect(stream.frames().map(({ id }) => id)).toEqual(expected);
    }
  });

  test("daemons share one database only if their homes differ", async () => {
    const dsn = await postgresDsn();
    const one = await testDaemon({ dsn });
    await expect(testDaemon({ dsn, folder: one.folder })).rejects.toMatchObject({
      fault: "already_running",
    });
  });

  test("a daemon ends a project's stream with a reset when another process archives the project", async () => {
    const dsn = await postgresDsn();
    const daemon = await testDaemon({ dsn });
    const [web, api] = [await project(daemon, "web"), await project(daemon, "api")];
    const [gone, kept] = [
      await openStream(daemon.endpoint, `/events/stream?project_id=${web.id}`),
      await openStream(daemon.endpoint, `/events/stream?project_id=${api.id}`),
    ];
    await Promise.all([gone.take(1), kept.take(1)]);
    await archive(dsn, web);
    await gone.end;
    expect(gone.frames().slice(1)).toEqual([
      expect.objectContaining({ id: 3, event: "project.removed" }),
      resetFrame(3),
    ]);
    await issue(daemon, api, "goes on");
    expect((await kept.take(2)).at(-1)).toMatchObject({ id: 4 });
    const late = await call(daemon.endpoint, "GET", `/events/stream?project_id=${web.id}`, {
      headers: { accept: "*/*" },
    });
    expect(late.status).toBe(404);
  });
});

/** No route of this release archives a project, so another store on the database writes the event. */
async function archive(dsn: string, { uid }: Project): Promise<void> {
  const store = await openStore({ dsn, clock: systemClock, ids: systemIds(), timezone: "UTC" });
  const payload = { alias_count: 0, open_issues: 0 };
  await store.write(
    async (tx) =>
      await tx.append({ type: "project.removed", actor: "ann", project_uid: uid, payload }),
  );
  await store.close();
}

function resetFrame(id: number): Frame {
  return { id, event: "sync.reset_required", data: { event_id: id, reset_after_id: id } };
}
