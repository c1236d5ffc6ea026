import { expect, test } from "vitest";
import { systemClock } from "../../src/base/clock.ts";
import { systemIds } from "../../src/base/ids.ts";
import { openStore } from "../../src/store/open.ts";
import { call, openStream, tempFolder } from "../support/daemon.ts";
import { type DaemonProcess, daemonProcess } from "../support/daemon-process.ts";
import { query } from "../support/postgres.ts";
import { postgresPair } from "../support/postgres-pair.ts";

/** What the issue of this behaviour asks for; usually it takes less than a second. */
const FOUND_WITHIN_MS = 15_000;

async function startDaemon(SVC_DSN: string): Promise<DaemonProcess> {
  return await daemonProcess({ folder: tempFolder(), env: { SVC_DSN } });
}

/** Creates issues one after the other until it is told to stop. Returns the uids of those that were acknowledged. */
class Writer {
  readonly acknowledged: string[] = [];
  readonly otherStatuses = new Set<number>();
  readonly #stopped = new AbortController();
  readonly #ended: Promise<void>;

  constructor(daemon: DaemonProcess, project: number) {
    this.#ended = this.#write(daemon, project);
  }

  async #write({ endpoint }: DaemonProcess, project: number): Promise<void> {
    while (!this.#stopped.signal.aborted) {
      const body = { actor: "ann", title: "written while servers change" };
      const answer = await call(endpoint, "POST", `/projects/${project}/issues`, { body });
      if (answer.status === 200) this.acknowledged.push(uidOf(answer.body));
      else this.otherStatuses.add(answer.status);
      if (answer.status !== 200) await systemClock.sleep(50, this.#stopped.signal);
    }
  }

  /** Returns once this many were acknowledged. */
  async until(count: number): Promise<void> {
    while (this.acknowledged.length < count) await systemClock.sleep(10);
  }

  async stop(): Promise<void> {
    this.#stopped.abort();
    await this.#ended;
  }
}

function uidOf({ issue }: Readonly<Record<string, unknown>>): string {
  return typeof issue === "object" && issue !== null && "uid" in issue ? String(issue.uid) : "";
}

// The pair can fail over only once, so this test cannot be run again.
/** Follows the events of a daemon as clients do: a stream that ends is opened again behind the last event. */
class Follower {
  /** The ids of the events in their order; a reset counts as an id that no event has. */
  readonly seen: number[] = [];
  #stopped = false;

  constructor(daemon: DaemonProcess) {
    void this.#run(daemon);
  }

  stop(): void {
    this.#stopped = true;
  }

  async #run({ endpoint }: DaemonProcess): Promise<void> {
    while (!this.#stopped) {
      const last = this.seen.at(-1);
      const headers = last === undefined ? {} : { "last-event-id": String(last) };
      const stream = await openStream(endpoint, "/events/stream", headers);
      let taken = 0;
      const take = (): boolean => {
        const frames = stream.frames().slice(taken);
        taken += frames.length;
        this.seen.push(
          ...frames.map(({ id, event }) => (event === "sync.reset_required" ? -1 : id)),
        );
        return this.#stopped;
      };
      await stream.until(take).catch(take);
      stream.close();
      await systemClock.sleep(100);
    }
  }
}

test("after a standby of PostgreSQL is promoted, two daemons find it by themselves, and no acknowledged write is lost", {
  retry: 0,
  timeout: 180_000,
}, async () => {
  const { primary, standby, promote } = await postgresPair({ synchronous: true });
  const [one, two] = [primary.port, standby.port];

  const open = { clock: systemClock, ids: systemIds(), timezone: "UTC" };
  await expect(openStore({ ...open, dsn: standby.dsn })).rejects.toMatchObject({
    data: { reason: "database_standby" },
    message: expect.stringContaining("is a standby"),
    hint: expect.stringContaining("target_session_attrs=read-write"),
  });

  const hosts = `127.0.0.1:${one},127.0.0.1:${two}`;
  const ann = await startDaemon(`postgres://svc@${hosts}/postgres?target_session_attrs=read-write`);
  // The standby is named first here, and has to be passed over.
  const bea = await startDaemon(
    `host=127.0.0.1,127.0.0.1 port=${two},${one} user=svc dbname=postgres target_session_attrs=primary`,
  );
  const made = await call(ann.endpoint, "POST", "/projects", {
    body: { actor: "ann", name: "pair" },
  });
  const { project } = made.body as { readonly project: { readonly id: number } };
  const followers = [new Follower(ann), new Follower(bea)];
  const writers = [ann, bea].flatMap((daemon) => [
    new Writer(daemon, project.id),
    new Writer(daemon, project.id),
  ]);
  await Promise.all(writers.map(async (writer) => await writer.until(10)));

  await primary.end("SIGQUIT");
  await promote();
  const promoted = performance.now();
  const before = writers.map(({ acknowledged }) => acknowledged.length);
  await Promise.all(writers.map(async (writer, at) => await writer.until((before[at] ?? 0) + 10)));
  expect(performance.now() - promoted).toBeLessThan(FOUND_WITHIN_MS);
  for (const writer of writers) await writer.stop();

  const there = await query(standby.dsn, "select uid from svc.issue");
  const uids = new Set(there.map(({ uid }) => uid));
  expect(
    writers.flatMap(({ acknowledged }) => acknowledged).filter((uid) => !uids.has(uid)),
  ).toEqual([]);
  expect(
    writers.flatMap(({ otherStatuses }) => [...otherStatuses].filter((status) => status !== 503)),
  ).toEqual([]);

  const events = await query(standby.dsn, "select id from svc.event order by id");
  const ids = events.map(({ id }) => Number(id));
  for (const follower of followers) {
    await expect.poll(() => follower.seen.length, { timeout: 20_000 }).toBe(ids.length);
    expect(follower.seen).toEqual(ids);
    follower.stop();
  }
  for (const daemon of [ann, bea]) expect(await daemon.end("SIGTERM")).toBe(0);
});
