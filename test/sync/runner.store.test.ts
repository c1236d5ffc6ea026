import { expect, test } from "vitest";
import { silentLog } from "../../src/base/log.ts";
import { SvcError } from "../../src/contract/errors.ts";
import type { OpStore } from "../../src/ops/deps.ts";
import { withGuard } from "../../src/ops/guarded.ts";
import { claimDue } from "../../src/ops/issue-sync/claim.ts";
import { type Chunk, writeIssues } from "../../src/ops/issue-sync/write-issues.ts";
import { ProviderFault } from "../../src/sync/provider.ts";
import { type RunnerDeps, runSync } from "../../src/sync/runner.ts";
import { comment, parentIs } from "../ops/issue-sync/host.ts";
import { syncWorld } from "../ops/issue-sync/synced.ts";
import { expectFolded } from "../store/fold.ts";
import { watched } from "../support/clock.ts";
import { describeStore } from "../support/store.ts";
import type { OpenStore } from "../support/world.ts";

const ISSUES = 3;

/** A process that dies when it waits for the `at`-th time. It never goes on, and its open transaction is undone. */
class Mortal {
  readonly died = Promise.withResolvers<"died">();
  readonly #at: number;
  #waits = 0;

  constructor(at: number) {
    this.#at = at;
  }

  /** Whether the process is dead after one more wait. */
  isDead(): boolean {
    this.#waits += 1;
    if (this.#waits === this.#at) this.died.resolve("died");
    return this.#waits >= this.#at;
  }

  async wait(): Promise<void> {
    if (this.isDead()) await new Promise(() => undefined);
  }

  /** The store of the process. It may die before each use, before a commit, and after it. */
  store(store: OpStore): OpStore {
    return {
      ...store,
      read: async (work, budget) => {
        await this.wait();
        return await store.read(work, budget);
      },
      write: async (work) => {
        await this.wait();
        let isUndone = false;
        try {
          const value = await store.write(async (tx) => {
            const made = await work(tx);
            isUndone = this.isDead();
            if (isUndone) throw new Error("the process died before the commit");
            return made;
          });
          await this.wait();
          return value;
        } catch (error) {
          if (isUndone) await new Promise(() => undefined);
          throw error;
        }
      },
    };
  }
}

/** A repository whose run has been claimed and has not begun. */
async function claimed(open: OpenStore) {
  const s = await syncWorld(open);
  const { w, host, project } = s;
  for (let number = 1; number <= ISSUES; number += 1)
    host.put(number, {
      labels: ["bug"],
      comments: [comment(number * 10), comment(number * 10 + 1)],
      parent: number === 1 ? { kind: "none" } : parentIs(1),
    });
  host.batch = 2;
  await s.enable();
  const claim = await claimDue(withGuard(w.store, {}), project.uid, w.clock.nowMs());
  if (claim === undefined) throw new Error("the run is not due");
  const run = async (more: Partial<RunnerDeps> = {}) => {
    const { store = withGuard(w.store, {}) } = more;
    const write = async (chunk: Chunk) => await writeIssues({ store, ids: w.ids }, chunk);
    const deps = { store, clock: w.clock, ids: w.ids, log: silentLog, write, ...more };
    const options = { parents: false, signal: new AbortController().signal };
    return await runSync({ ...deps, provider: async () => host }, claim, options);
  };
  return { ...s, run };
}

type Claimed = Awaited<ReturnType<typeof claimed>>;

async function expectAllOnce({ w, show, list }: Claimed): Promise<void> {
  expect(await list()).toHaveLength(ISSUES);
  const { uid } = (await show(1)).issue;
  for (let number = 1; number <= ISSUES; number += 1) {
    const { labels, comments, parent } = await show(number);
    expect(labels.map(({ label }) => label)).toEqual(["bug"]);
    expect(comments.map(({ body }) => body)).toEqual([
      `comment ${number * 10}`,
      `comment ${number * 10 + 1}`,
    ]);
    expect(parent?.uid).toBe(number === 1 ? undefined : uid);
  }
  await expectFolded(w.store);
}

describeStore("a run of issue sync", (open) => {
  test("a run that is killed at any of its waits is completed by the next one, and nothing is stored twice", async () => {
    let deaths = 0;
    for (let at = 1; ; at += 1) {
      const s = await claimed(open);
      const mortal = new Mortal(at);
      s.host.before = async () => await mortal.wait();
      const ran = s.run({ store: mortal.store(withGuard(s.w.store, {})) });
      if ((await Promise.race([ran, mortal.died.promise])) !== "died") break;
      deaths += 1;
      s.host.before = async () => undefined;
      s.w.clock.advance(30 * 60_000);
      await s.once({ parents: true });
      await expectAllOnce(s);
      const events = (await s.w.events()).length;
      const { import: again } = await s.once({ parents: true });
      expect(again).toMatchObject({ created: 0, updated: 0, comments: 0, links: 0 });
      expect(await s.w.events()).toHaveLength(events);
    }
    // One to read the binding, four for batches of the host, and three for each of the two parts and the end.
    expect(deaths).toBe(14);
  }, 240_000);

  test("repeats the write of a part if the database is busy, and gives up after ten tries", async () => {
    const s = await claimed(open);
    const { clock, next } = watched(s.w.clock);
    const store = withGuard(s.w.store, {});
    let tries = 0;
    const write = async (chunk: Chunk) => {
      tries += 1;
      if (tries <= 3) throw new SvcError("busy");
      return await writeIssues({ store, ids: s.w.ids }, chunk);
    };
    const running = s.run({ clock, write });
    for (let pause = 0; pause < 3; pause += 1) {
      expect(await next()).toBe(1000);
      s.w.clock.advance(1000);
    }
    expect(await running).toMatchObject({ created: ISSUES });
    await expectAllOnce(s);

    const busy = await claimed(open);
    let asked = 0;
    const refused = busy.run({
      clock: { ...clock, sleep: async () => undefined },
      write: async () => {
        asked += 1;
        throw new SvcError("busy");
      },
    });
    await expect(refused).rejects.toMatchObject({ data: { category: "import" } });
    expect(asked).toBe(10);
  });

  test("a run that failed tries for ten seconds to store its error, even if the database refuses writes", async () => {
    for (const [refusals, isWritten] of [
      [3, true],
      [1000, false],
    ] as const) {
      const s = await claimed(open);
      s.host.fault = new ProviderFault("provider_http", "the host answered 500", "try later");
      const store = withGuard(s.w.store, {});
      let tries = 0;
      const { w } = s;
      const ran = s.run({
        clock: {
          now: () => w.clock.now(),
          nowMs: () => w.clock.nowMs(),
          sleep: async (ms) => w.clock.advance(ms),
        },
        store: {
          ...store,
          write: async (work) => {
            tries += 1;
            if (tries <= refusals) throw new SvcError("busy");
            return await store.write(work);
          },
        },
      });
      await expect(ran).rejects.toMatchObject({ data: { category: "provider_http" } });
      expect(tries).toBe(isWritten ? refusals + 1 : 21);
      const { last_error } = await store.read(
        async (reader) =>
          (await reader.unfolded.list("issue_sync_status", 1))[0] ?? { last_error: null },
      );
      expect(last_error).toBe(isWritten ? "provider_http: the host answered 500" : null);
    }
  });
});
