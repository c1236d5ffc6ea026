import fc from "fast-check";
import { expect, test } from "vitest";
import { call, openStream, type TestDaemon, testDaemon } from "../support/daemon.ts";
import { postgresDsn } from "../support/postgres.ts";

interface Named {
  readonly id: number;
  readonly uid: string;
  readonly qualified_id: string;
}

async function post(daemon: TestDaemon, path: string, body: object, headers = {}) {
  const sent = { body: { actor: "ann", ...body }, headers };
  return (await call(daemon.endpoint, "POST", path, sent)).body;
}

async function issue(daemon: TestDaemon, { id }: Named): Promise<Named> {
  const made = await post(daemon, `/projects/${id}/issues`, { title: "t", force_new: true });
  return made["issue"] as Named;
}

async function purge(daemon: TestDaemon, { id }: Named, { uid, qualified_id }: Named) {
  const headers = { "x-svc-confirm": `PURGE ${qualified_id}` };
  await post(daemon, `/projects/${id}/issues/${uid}/actions/purge`, {}, headers);
}

type Step = readonly ["issue" | "purge", 0 | 1];

const steps = fc.array(
  fc.tuple(fc.constantFrom("issue", "issue", "purge"), fc.constantFrom(0, 1)) as fc.Arbitrary<Step>,
  { minLength: 2, maxLength: 8 },
);

/** What a reader gets first: the id from which to start again, or its events. */
interface FirstAnswer {
  readonly reset?: number;
  readonly events?: readonly number[];
}

async function polled(daemon: TestDaemon, query: string): Promise<FirstAnswer> {
  const { body } = await call(daemon.endpoint, "GET", `/events?limit=1000&${query}`);
  if (body["reset_required"] === true) return { reset: Number(body["reset_after_id"]) };
  const events = body["events"] as readonly { readonly event_id: number }[];
  return { events: events.map(({ event_id }) => event_id) };
}

/** The same for a stream. If it is not told to start again, returns the events before the one that `then` writes. */
async function streamed(
  daemon: TestDaemon,
  query: string,
  expected: FirstAnswer,
  then: () => Promise<number>,
): Promise<FirstAnswer> {
  const stream = await openStream(daemon.endpoint, `/events/stream?${query}`);
  const mark = expected.reset === undefined ? await then() : Number.POSITIVE_INFINITY;
  const isReset = () => stream.frames().at(-1)?.event === "sync.reset_required";
  await stream.until(() => isReset() || (stream.frames().at(-1)?.id ?? 0) >= mark);
  stream.close();
  const frames = stream.frames();
  if (isReset()) return { reset: frames.at(-1)?.id ?? -1 };
  return { events: frames.map(({ id }) => id).filter((id) => id < mark) };
}

async function lastId(daemon: TestDaemon): Promise<number> {
  return Number((await call(daemon.endpoint, "GET", "/instance")).body["last_event_id"]);
}

/** Carries out the steps in two projects, and returns the first project. */
async function logOf(daemon: TestDaemon, log: readonly Step[], name: string): Promise<Named> {
  const made = async (named: string) =>
    (await post(daemon, "/projects", { name: named }))["project"] as Named;
  const [one, other] = [await made(`${name}a`), await made(`${name}b`)];
  const live: { readonly of: Named; readonly issue: Named }[] = [];
  for (const [what, at] of log) {
    const of = at === 0 ? one : other;
    if (what === "issue") live.push({ of, issue: await issue(daemon, of) });
    else {
      const gone = live.pop();
      if (gone !== undefined) await purge(daemon, gone.of, gone.issue);
    }
  }
  return one;
}

const aheads = fc.array(fc.integer({ min: -30, max: 10 }), { minLength: 2, maxLength: 4 });

test.each([
  ["SQLite", 8],
  ["PostgreSQL", 4],
])(
  "a poll and a stream from the same cursor give the same events or reset, after purges and beyond the end, on %s",
  { timeout: 120_000 },
  async (database, numRuns) => {
    const daemon = await testDaemon(database === "SQLite" ? {} : { dsn: await postgresDsn() });
    let logs = 0;
    const property = fc.asyncProperty(steps, aheads, async (log, places) => {
      const own = await logOf(daemon, log, `p${++logs}`);
      const marker = async (): Promise<number> => {
        await issue(daemon, own);
        return await lastId(daemon);
      };
      for (const ahead of places) {
        for (const scope of ["", `project_id=${own.id}&`, "type=issue.created&", "actor=ann&"]) {
          const query = `${scope}after_id=${Math.max(0, (await lastId(daemon)) + ahead)}`;
          const poll = await polled(daemon, query);
          const stream = await streamed(daemon, query, poll, marker);
          expect([query, stream]).toEqual([query, poll]);
          if (ahead > 0) expect(poll).toHaveProperty("reset");
        }
      }
    });
    await fc.assert(property, { numRuns });
  },
);

test("a client whose cursor is beyond the end of the log, as after a restored copy, is told to start again", async () => {
  const daemon = await testDaemon();
  const { project } = (await post(daemon, "/projects", { name: "web" })) as { project: Named };
  await issue(daemon, project);
  const { body } = await call(daemon.endpoint, "GET", "/events?after_id=9000");
  expect(body).toMatchObject({ reset_required: true, reset_after_id: 2, events: [] });
  const own = await call(daemon.endpoint, "GET", `/projects/${project.id}/events?after_id=3`);
  expect(own.body).toMatchObject({ reset_required: true, reset_after_id: 2 });
  const there = await call(daemon.endpoint, "GET", "/events?after_id=2");
  expect(there.body).toMatchObject({ reset_required: false, next_after_id: 2 });
});
