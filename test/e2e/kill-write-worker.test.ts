import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { examineDatabase } from "../../src/archive/doctor.ts";
import { systemClock } from "../../src/base/clock.ts";
import type { importIssues } from "../../src/contract/imports.ts";
import type { Input, Output } from "../../src/contract/route.ts";
import { sendItems } from "../../src/sources/send.ts";
import { call, tempFolder } from "../support/daemon.ts";
import { type DaemonProcess, daemonProcess } from "../support/daemon-process.ts";
import { KILL_ROUNDS as ROUNDS } from "../support/kill-count.ts";
import { freshPostgres } from "../support/postgres.ts";

const JUNE = "2025-06-01T10:00:00Z";

type Item = Input<typeof importIssues>["body"]["items"][number];

function items(count: number): readonly Item[] {
  return Array.from({ length: count }, (_, at) => ({
    external_id: `x-${at}`,
    title: `imported ${at}`,
    author: "old hand",
    status: "open",
    created_at: JUNE,
    updated_at: JUNE,
  }));
}

/** A database and the daemon that serves it. A killed daemon is replaced by a new one. */
class Place {
  readonly #folder = tempFolder();
  readonly #env: Readonly<Record<string, string>>;
  #daemon: DaemonProcess | undefined;

  constructor(env: Readonly<Record<string, string>>) {
    this.#env = env;
    onTestFinished(async () => void (await this.#daemon?.end("SIGKILL")));
  }

  async start(): Promise<void> {
    this.#daemon = await daemonProcess({ folder: this.#folder, env: this.#env });
  }

  /** Kills the daemon this long after `work` began. Returns whether the work had ended before. */
  async killedAfter(ms: number, work: Promise<unknown>): Promise<boolean> {
    const done = work.then(
      () => true,
      () => false,
    );
    await systemClock.sleep(ms);
    const ended = await this.#daemon?.end("SIGKILL");
    if (ended !== "SIGKILL") throw new Error(`the daemon had ended by itself: ${String(ended)}`);
    return await done;
  }

  async send(method: string, path: string, body?: object) {
    if (this.#daemon === undefined) throw new Error("no daemon");
    const { endpoint } = this.#daemon;
    const given = body === undefined ? {} : { body: { actor: "ann", ...body } };
    const answer = await call(endpoint, method, path, given);
    if (answer.status !== 200) throw new Error(`${method} ${path}: ${answer.text}`);
    return answer.body;
  }

  async project(name: string): Promise<number> {
    const { project } = await this.send("POST", "/projects", { name });
    return (project as { id: number }).id;
  }

  async issuesOf(project: number): Promise<number> {
    const { issues } = await this.send("GET", `/projects/${project}/issues?status=&limit=0`);
    return (issues as unknown[]).length;
  }

  async names(): Promise<readonly string[]> {
    const { projects } = await this.send("GET", "/projects");
    return (projects as { name: string }[]).map(({ name }) => name);
  }

  /** Returns what doctor finds; empty if all is well. */
  async faults(): Promise<readonly unknown[]> {
    await this.#daemon?.end("SIGTERM");
    const dsn = this.#env["SVC_DSN"];
    const place =
      dsn === undefined
        ? ({ dialect: "sqlite", dsn: join(this.#folder, "home", "svc.db") } as const)
        : ({ dialect: "postgres", dsn, schema: "svc" } as const);
    const { integrity, changedEvents, brokenChain, fold, derived } = await examineDatabase(place);
    return [...integrity, ...changedEvents, ...brokenChain, fold ?? [], derived ?? []].flat();
  }
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const begun = performance.now();
  await work();
  return performance.now() - begun;
}

/** Returns a time to kill at. The times are spread over a work of this length and a little beyond its end. */
const moment = (round: number, ms: number): number => ((round * 0.618) % 1) * ms * 1.5;

describe.each([
  ["SQLite", async () => ({})],
  ["PostgreSQL", async () => await postgresEnv()],
])("kill -9 of a daemon on %s", (_, env) => {
  test("during an import leaves only whole portions, and repeating the import completes them", async () => {
    const place = new Place(await env());
    const all = items(90);
    const bring = async (project: number, portions: number[] = []) =>
      await sendItems(
        { count: all.length, linked: 0, items: all, ids: [], removed: [] },
        async (batch) => {
          const body = { source: "beads", items: batch };
          const answer = await place.send("POST", `/projects/${project}/imports`, body);
          portions.push(batch.length);
          return answer as Output<typeof importIssues>;
        },
        () => undefined,
        { items: 30 },
      );
    await place.start();
    const first = await place.project("first");
    const ms = await timed(async () => await bring(first));
    const counts = new Set<number>();
    for (let round = 0; round < ROUNDS; round++) {
      const project = await place.project(`p${round}`);
      const portions: number[] = [];
      await place.killedAfter(moment(round, ms), bring(project, portions));
      await place.start();
      const found = await place.issuesOf(project);
      counts.add(found);
      // Everything that was answered is stored, and every portion is stored as a whole or not at all.
      expect([found % 30, found >= 30 * portions.length]).toEqual([0, true]);
      expect(await bring(project)).toMatchObject({ created: 90 - found, unchanged: found });
      expect(await place.issuesOf(project)).toBe(90);
    }
    expect(counts.size).toBeGreaterThan(1);
    expect(await place.faults()).toEqual([]);
  }, 600_000);

  test("during a merge leaves either both projects unchanged or one project with all issues", async () => {
    const place = new Place(await env());
    await place.start();
    const pair = async (name: string) => {
      const [target, source] = [await place.project(name), await place.project(`${name}-source`)];
      await place.send("POST", `/projects/${source}/imports`, {
        source: "beads",
        items: items(110),
      });
      return { target, source };
    };
    const merge = async ({ target, source }: { target: number; source: number }) =>
      await place.send("POST", `/projects/${target}/merge`, { source_project_id: source });
    const first = await pair("first");
    const ms = await timed(async () => await merge(first));
    const states = new Set<string>();
    for (let round = 0; round < ROUNDS; round++) {
      const two = await pair(`p${round}`);
      const answered = await place.killedAfter(moment(round, ms), merge(two));
      await place.start();
      const isThere = (await place.names()).includes(`p${round}-source`);
      const found = [
        isThere,
        isThere ? await place.issuesOf(two.source) : 0,
        await place.issuesOf(two.target),
      ];
      expect([
        [true, 110, 0],
        [false, 0, 110],
      ]).toContainEqual(found);
      if (answered) expect(isThere).toBe(false);
      states.add(String(isThere));
    }
    expect(states.size).toBe(2);
    expect(await place.faults()).toEqual([]);
  }, 600_000);
});

async function postgresEnv(): Promise<Readonly<Record<string, string>>> {
  const server = await freshPostgres();
  onTestFinished(async () => await server.drop());
  return { SVC_DSN: server.dsn };
}
