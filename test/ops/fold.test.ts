import fc from "fast-check";
import { expect, test } from "vitest";
import { readyIssuesGlobal, whyIssue } from "../../src/contract/search.ts";
import { foldLog } from "../../src/domain/memory.ts";
import { derivedOf, isOpen, isReady, whyNotReady } from "../../src/domain/readiness.ts";
import { expectFolded } from "../store/fold.ts";
import { RandomRun } from "../support/random-run.ts";
import { type Step, step } from "../support/random-steps.ts";
import { describeStore } from "../support/store.ts";
import { type World, world } from "../support/world.ts";

const ZONE = "Europe/Berlin";

/** `npm run bench -- fold` runs 10,000 operations for each of 20 seeds. */
const OPERATIONS = Number(process.env["SVC_FOLD_OPERATIONS"] ?? 250);
const SEEDS = { sqlite: 20, postgres: 6 } as const;
const WANTED = process.env["SVC_FOLD_SEEDS"];
const LOOK_EVERY = 1000;
const MS_PER_OPERATION = 60;

describeStore("random operations on a tracker", (open) => {
  test("leave tables equal to the fold of the log, and an explanation for every open issue", {
    timeout: 120_000,
  }, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 20, maxLength: 90 }), async (steps) => {
        const w = await world({ store: open, settings: { timezone: ZONE } });
        const run = await RandomRun.begin(w);
        await run.steps(steps);
        await checkAgreement(w);
      }),
      { numRuns: 25 },
    );
  });

  const seeds = Array.from({ length: Number(WANTED ?? SEEDS[open.dialect]) }, (_, at) => at + 1);

  test.each(seeds)(
    `${OPERATIONS} operations of seed %i leave tables equal to the fold of the log`,
    { timeout: 30_000 + OPERATIONS * MS_PER_OPERATION },
    async (seed) => {
      const w = await world({ store: open, settings: { timezone: ZONE } });
      const run = await RandomRun.begin(w);
      for (const steps of portions(fc.sample(step, { seed, numRuns: OPERATIONS }))) {
        await run.steps(steps);
        await checkAgreement(w);
      }
    },
  );
});

function portions(steps: readonly Step[]): readonly (readonly Step[])[] {
  const count = Math.ceil(steps.length / LOOK_EVERY);
  return Array.from({ length: count }, (_, at) =>
    steps.slice(at * LOOK_EVERY, (at + 1) * LOOK_EVERY),
  );
}

async function checkAgreement(w: World): Promise<void> {
  await expectFolded(w.store);
  const { answers, computed } = await answersOf(w);
  expect(answers).toEqual(computed);
}

/**
 * Returns for every open issue whether the lists offer it and what `why` says, as the daemon answers and as the domain
 * computes it. An issue either is ready or has a reason.
 */
async function answersOf(w: World) {
  const state = foldLog(await w.events());
  const now = w.clock.now();
  const open = [...state.rows("issue")].filter((issue) => isOpen(state, issue));
  const ready = uids((await w.call(readyIssuesGlobal)).issues);
  const withContainers = uids(
    (await w.call(readyIssuesGlobal, { query: { containers: true } })).issues,
  );
  const shown = await w.store.read(async (reader) => await reader.issues.many([...uids(open)]));
  const answers: object[] = [];
  for (const { uid } of open) {
    const params = { project_id: shown.get(uid)?.project_id ?? 0, ref: uid };
    const why = await w.call(whyIssue, { params });
    const reasons = why.reasons.map(({ reason }) => reason);
    const listed = { ready: ready.has(uid), withContainers: withContainers.has(uid) };
    answers.push({ uid, ...listed, saysReady: why.ready, reasons });
  }
  const computed = open.map((issue) => {
    const derived = derivedOf(state, issue, ZONE);
    const reasons = whyNotReady(state, issue, now, ZONE).map(({ reason }) => reason);
    return {
      uid: issue.uid,
      ready: reasons.length === 0,
      withContainers: isReady(derived, now, true),
      saysReady: isReady(derived, now, false),
      reasons,
    };
  });
  return { answers, computed };
}

function uids(list: readonly { readonly uid: string }[]): ReadonlySet<string> {
  return new Set(list.map(({ uid }) => uid));
}
