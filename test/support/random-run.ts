import { silentLog } from "../../src/base/log.ts";
import { initProject } from "../../src/contract/projects.ts";
import { sweepJobs } from "../../src/engines/cron-sweep.ts";
import { askDates } from "../../src/ops/inbox/ask-dates.ts";
import { DateSweep } from "../../src/ops/inbox/date-sweep.ts";
import { sweepLeases } from "../../src/ops/leases/sweep.ts";
import type { StoredIssue, StoredProject } from "../../src/store/types/rows.ts";
import type { Reader } from "../../src/store/types/store.ts";
import { type Act, type Ask, actorOf, ON_ISSUE, ON_PROJECT, type Step } from "./random-steps.ts";
import type { World } from "./world.ts";

const PROJECTS = 3;
/** This many steps run at a time, so that they share a commit. */
const AT_ONCE = 8;
const RECENT = 40;
const NEAR = 30;
const HALF_A_DAY_MS = 12 * 3_600_000;

/** Random steps in three projects, several at a time. A project that was purged or merged is replaced by a new one. */
export class RandomRun {
  readonly #w: World;
  readonly #projects: string[] = [];
  readonly #issues: string[] = [];
  readonly #dates: DateSweep;
  readonly #isFixed: boolean;
  #made = 0;
  #seen = 0;

  static async begin(w: World): Promise<RandomRun> {
    const run = new RandomRun(w);
    for (let at = 0; at < PROJECTS; at++) await run.#newProject(at);
    return run;
  }

  /** Steps in these projects only. */
  static within(w: World, projects: readonly string[]): RandomRun {
    const run = new RandomRun(w, true);
    run.#projects.push(...projects);
    return run;
  }

  private constructor(w: World, isFixed = false) {
    this.#w = w;
    this.#isFixed = isFixed;
    const askTogether = async (uids: readonly string[]) => await askDates(w, uids);
    this.#dates = new DateSweep({ ...w, askTogether }, (_uid, error) => {
      throw error;
    });
  }

  async steps(all: readonly Step[]): Promise<void> {
    for (let at = 0; at < all.length; at += AT_ONCE) {
      await this.#look();
      const some = all.slice(at, at + AT_ONCE);
      await Promise.all(some.map(async (step) => await this.#step(step)));
    }
  }

  /** Finds the issues that are new, and makes projects in place of those that are gone. */
  async #look(): Promise<void> {
    if (this.#isFixed) return await this.#lookAround();
    const { store } = this.#w;
    const { created, gone } = await store.read(async (reader) => {
      const events = await reader.events.after(this.#seen, 10_000);
      this.#seen = events.at(-1)?.id ?? this.#seen;
      const missing: number[] = [];
      for (const [at, uid] of this.#projects.entries())
        if ((await reader.projects.find(uid)) === undefined) missing.push(at);
      return { created: events.filter(({ type }) => type === "issue.created"), gone: missing };
    });
    this.#issues.push(...created.map(({ issue_uid }) => issue_uid ?? ""));
    for (const at of gone) await this.#newProject(at);
  }

  /** Finds the issues of the projects, of which some may have come from another daemon. */
  async #lookAround(): Promise<void> {
    const found = await this.#w.store.read(
      async ({ issues }) =>
        await Promise.all(
          this.#projects.map(
            async (project_uid) => await issues.list({ project_uid, limit: 100 }, "recent"),
          ),
        ),
    );
    const known = new Set(this.#issues);
    this.#issues.push(...found.flat().flatMap(({ uid }) => (known.has(uid) ? [] : uid)));
  }

  async #newProject(at: number): Promise<void> {
    this.#made += 1;
    const { project } = await this.#w.call(initProject, { body: { name: `new${this.#made}` } });
    this.#projects[at] = project.uid;
  }

  /** Runs one pass of the sweep over dates. The whole run uses one sweep, which remembers its earlier passes. */
  async sweepDates(): Promise<number> {
    return await this.#dates.pass(new AbortController().signal);
  }

  async #step(step: Step): Promise<void> {
    if (step.act === "wait") return this.#w.clock.advance(step.value * HALF_A_DAY_MS);
    if (step.act === "sweepLeases") return void (await sweepLeases(this.#w));
    if (step.act === "sweepDates") return void (await this.sweepDates());
    if (step.act === "sweepJobs") return void (await sweepJobs({ ...this.#w, log: silentLog }));
    const asked = await this.#w.store.read(async (reader) => await this.#ask(reader, step));
    if (asked === undefined) return;
    // A refusal is allowed; an internal error is not.
    const response = await asked(this.#w, actorOf(step.by));
    if (response.status >= 500) throw new Error(`${step.act}: ${await response.text()}`);
  }

  async #ask(reader: Reader, step: Step): Promise<Ask | undefined> {
    const { act, at, other, value } = step;
    const [issue, peer] = [await this.#issue(reader, at), await this.#issue(reader, other)];
    const [project, away] = [await this.#project(reader, at), await this.#project(reader, other)];
    if (isOn(ON_PROJECT, act)) {
      if (project === undefined || away === undefined) return undefined;
      return await ON_PROJECT[act]({ project, peer: away, issue, value, reader });
    }
    if (!isOn(ON_ISSUE, act)) return undefined;
    if (issue === undefined || peer === undefined || away === undefined) return undefined;
    const params = { project_id: issue.project_id, ref: issue.uid };
    return await ON_ISSUE[act]({ issue, peer, params, project: away, value, reader });
  }

  /** Half of the time one of the newest issues, so that steps meet on the same issues, otherwise any issue. */
  async #issue(reader: Reader, at: number): Promise<StoredIssue | undefined> {
    const count = this.#issues.length;
    const from = at % 2 === 0 ? Math.max(0, count - RECENT) : 0;
    const place = from + (Math.floor(at / 2) % Math.max(1, count - from));
    // Purged issues are skipped.
    const near = this.#issues.slice(place, place + NEAR);
    const found = await reader.issues.many(near);
    return found.get(near.find((uid) => found.has(uid)) ?? "");
  }

  async #project(reader: Reader, at: number): Promise<StoredProject | undefined> {
    return await reader.projects.find(
      this.#projects[at % Math.max(1, this.#projects.length)] ?? "",
    );
  }
}

function isOn<T extends object>(table: T, act: Act): act is Act & keyof T {
  return Object.hasOwn(table, act);
}
