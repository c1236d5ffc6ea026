import fc from "fast-check";
import { expect, test } from "vitest";
import { instantToMs, msToInstant } from "../../src/base/clock.ts";
import { canonicalJson, type JsonValue } from "../../src/base/json.ts";
import type { StoredEvent } from "../../src/contract/events.ts";
import { undoGlobal } from "../../src/contract/undo.ts";
import { foldLog, type MemoryState } from "../../src/domain/memory.ts";
import { isSystemKey } from "../../src/domain/reserved-keys.ts";
import { COMMENT_TAKEN_BACK } from "../../src/ops/undo/drafts.ts";
import { expectFolded } from "../store/fold.ts";
import { RandomRun } from "../support/random-run.ts";
import { type Step, step } from "../support/random-steps.ts";
import { describeStore } from "../support/store.ts";
import { type World, world } from "../support/world.ts";

const ANN = "ann";
const SECOND = 1000;
/** The same seed each time, unless SVC_UNDO_SEED gives another. */
const SEED = Number(process.env["SVC_UNDO_SEED"] ?? 1);
/**
 * SVC_UNDO_RUNS allows more runs. On PostgreSQL there are fewer, because making a schema takes longer than copying a
 * file.
 */
const RUNS = { sqlite: Number(process.env["SVC_UNDO_RUNS"] ?? 25), postgres: 10 };
/** Events that no undo reverses. They are also in the log with which the result is compared. */
const STAYS =
  /^(project\.|recurrence\.(created|deleted)$|cron\.|claim\.(released|force_released|expired|renewed)$|close\.throttled$)/;

/**
 * The effect of a changed name depends on where an issue is at that moment, so such steps are left out of the second
 * part.
 */
const settled = step.filter(({ act }) => act !== "rewrite" && act !== "undo");
/** The others do less than ann in that part, so that they do not always change what she did. */
const anns = settled.map((one): Step => ({ ...one, by: 0 }));
const rounds = fc.record({
  before: fc.array(step, { minLength: 20, maxLength: 60 }),
  during: fc.array(fc.oneof({ weight: 4, arbitrary: anns }, { weight: 1, arbitrary: settled }), {
    minLength: 1,
    maxLength: 16,
  }),
});

describeStore("an undo of random operations", (open) => {
  test("an undo leaves the state that the log has without these operations, or is refused and changes nothing", {
    timeout: 120_000,
  }, async () => {
    const runs = RUNS[open.dialect];
    let done = 0;
    await fc.assert(
      fc.asyncProperty(rounds, async ({ before, during }) => {
        const w = await world({ store: open });
        const run = await RandomRun.begin(w);
        await run.steps(before);
        w.clock.advance(SECOND);
        const since = w.clock.now();
        await run.steps(during);
        w.clock.advance(SECOND);
        if (await checked(w, since)) done += 1;
        await w.store.close();
      }),
      { numRuns: runs, seed: SEED },
    );
    // If nothing was undone, the test would prove nothing. That both results occur is tested in test/http/undo.test.ts.
    expect(done).toBeGreaterThan(runs / 5);
  });

  test("an undo in portions, newest first, gives the same result as one undo of everything", {
    timeout: 120_000,
  }, async () => {
    const runs = RUNS[open.dialect];
    let done = 0;
    await fc.assert(
      fc.asyncProperty(rounds, fc.constantFrom(ANN, "bea"), async ({ before, during }, actor) => {
        const w = await world({ store: open });
        const run = await RandomRun.begin(w);
        await run.steps(before);
        w.clock.advance(SECOND);
        const since = w.clock.now();
        const starts: string[] = [];
        for (let at = 0; at < during.length; at += PORTION) {
          w.clock.advance(SECOND);
          starts.push(w.clock.now());
          await run.steps(during.slice(at, at + PORTION));
        }
        w.clock.advance(SECOND);
        if (await checkedPortions(w, { since, starts, actor })) done += 1;
        await w.store.close();
      }),
      { numRuns: runs, seed: SEED },
    );
    expect(done).toBeGreaterThan(runs / 10);
  });
});

/** The number of steps in a portion. */
const PORTION = 3;

/** Returns whether it was undone. */
async function checkedPortions(
  w: World,
  { since, starts, actor }: Readonly<Record<"since" | "actor", string>> & { starts: string[] },
): Promise<boolean> {
  const undone_until = w.clock.now();
  const asked = { of_actor: ANN, actor };
  const whole = { ...asked, since, until: undone_until, dry_run: true };
  const shown = await w.call(undoGlobal, { body: whole });
  if (shown.conflicts.length > 0) return false;
  const events = await w.events();
  let until = undone_until;
  for (const start of starts.toReversed()) {
    const body = { ...asked, since: start, until, undone_until };
    const { confirm, conflicts } = await w.call(undoGlobal, { body: { ...body, dry_run: true } });
    // A lease that ann took in an earlier portion and still holds is released only when that portion is undone.
    expect(conflicts.filter(({ reason }) => reason !== "leased")).toEqual([]);
    if (conflicts.length > 0) return false;
    w.clock.advance(SECOND);
    await w.call(undoGlobal, { body, headers: { "x-svc-confirm": confirm } });
    until = msToInstant(instantToMs(start) - 1);
  }
  await expectFolded(w.store);
  const left = events.filter((event) => !isTakenBack(event, since));
  expect(visible(foldLog(await w.events()))).toEqual(visible(foldLog(left)));
  expect(await w.call(undoGlobal, { body: whole })).toMatchObject({ reverts: [] });
  return shown.reverts.length > 0;
}

/** Returns whether it was undone. */
async function checked(w: World, since: string): Promise<boolean> {
  const body = { of_actor: ANN, since, until: w.clock.now(), actor: ANN };
  const events = await w.events();
  const shown = await w.call(undoGlobal, { body: { ...body, dry_run: true } });
  expect(await w.events()).toEqual(events);
  const headers = { "x-svc-confirm": shown.confirm };
  if (shown.conflicts.length > 0) {
    const { code, data } = await w.refused(undoGlobal, { body, headers });
    expect({ code, conflicts: data?.["conflicts"] }).toEqual({
      code: "undo_conflict",
      conflicts: shown.conflicts,
    });
    expect(await w.events()).toEqual(events);
    return false;
  }
  w.clock.advance(SECOND);
  const done = await w.call(undoGlobal, { body, headers });
  expect(done.reverts).toEqual(shown.reverts);
  await expectFolded(w.store);
  const left = events.filter((event) => !isTakenBack(event, since));
  expect(visible(foldLog(await w.events()))).toEqual(visible(foldLog(left)));
  await expectDone(w, body);
  if (done.batch !== undefined) await expectUndone(w, done.batch.at, visible(foldLog(events)));
  return done.changed;
}

function isTakenBack(event: StoredEvent, since: string): boolean {
  const { actor, created_at, type } = event;
  if (actor !== ANN || created_at < since || STAYS.test(type)) return false;
  return type === "recurrence.updated" ? onlyMoves(event) : !isProgress(event);
}

/** A change of a series by a person changes more than the position of the series. */
function onlyMoves({ payload }: StoredEvent): boolean {
  const { diff } = payload as { readonly diff: object };
  return Object.keys(diff).every((column) => column === "next_occurrence_key");
}

/** The progress of a job is stored on its parent. What jobs did is not undone, and neither is their progress. */
function isProgress({ type, payload }: StoredEvent): boolean {
  if (type !== "issue.metadata_updated") return false;
  const { diff } = payload as { readonly diff: object };
  return Object.keys(diff).every(isSystemKey);
}

async function expectDone(w: World, body: object): Promise<void> {
  const events = await w.events();
  const again = await w.call(undoGlobal, { body });
  expect(again).toMatchObject({ changed: false, reverts: [] });
  expect(await w.events()).toEqual(events);
}

/**
 * After the undo of the undo, everything is as ann left it, except an issue that got a child since and so cannot be
 * closed.
 */
async function expectUndone(w: World, at: string, before: unknown): Promise<void> {
  w.clock.advance(SECOND);
  const body = { of_actor: ANN, since: at, actor: ANN };
  const { confirm, conflicts } = await w.call(undoGlobal, { body: { ...body, dry_run: true } });
  expect(conflicts.filter(({ reason }) => reason !== "open_children")).toEqual([]);
  if (conflicts.length > 0) return;
  await w.call(undoGlobal, { body, headers: { "x-svc-confirm": confirm } });
  await expectFolded(w.store);
  expect(visible(foldLog(await w.events()))).toEqual(before);
}

/** Returns what is shown of live issues, without counters and without who added a label or link a second time. */
function visible(state: MemoryState): readonly string[] {
  const live = new Map(
    [...state.rows("issue")]
      .filter(({ deleted_at }) => deleted_at === null)
      .map((issue) => [issue.uid, issue]),
  );
  const rows: object[] = [...live.values()].map(
    ({ revision: _r, updated_at: _u, short_id: _s, ...issue }) => issue,
  );
  for (const { issue_uid, label } of state.rows("label"))
    if (live.has(issue_uid)) rows.push({ issue_uid, label });
  for (const { from_uid, to_uid, type } of state.rows("link"))
    if (live.has(from_uid) && live.has(to_uid)) rows.push({ from_uid, to_uid, type });
  for (const { uid, next_occurrence_key, last_materialized_uid } of state.rows("recurrence"))
    rows.push({ uid, next_occurrence_key, last_materialized_uid });
  for (const comment of state.rows("comment"))
    if (live.has(comment.issue_uid) && comment.body !== COMMENT_TAKEN_BACK)
      rows.push({ ...comment });
  return rows.map((row) => canonicalJson(row as JsonValue)).sort();
}
