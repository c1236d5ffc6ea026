import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { exportLines } from "../../src/archive/export.ts";
import { restoreFile } from "../../src/archive/restore.ts";
import { writeFileWhole } from "../../src/archive/write-file.ts";
import { instantToMs } from "../../src/base/clock.ts";
import { systemIds } from "../../src/base/ids.ts";
import type { StoredEvent } from "../../src/contract/events.ts";
import { takeReadyIssue } from "../../src/contract/leases.ts";
import { openStore } from "../../src/store/open.ts";
import { expectFolded } from "../store/fold.ts";
import { RandomRun } from "../support/random-run.ts";
import { type Step, step } from "../support/random-steps.ts";
import { describeStore, type OpenTestStore } from "../support/store.ts";
import { type World, world } from "../support/world.ts";
import { deps, freshTarget, plain, scratch } from "./targets.ts";

/** Many takes with few keys. Between them, anything may happen to the issues that were taken. */
const keyed: fc.Arbitrary<Step> = step.map((one) => ({ ...one, act: "takeKeyed" }));
const steps = fc.array(fc.oneof(step, keyed, step), { minLength: 40, maxLength: 90 });

const one = (act: Step["act"], value = 0): Step => ({ act, by: 0, at: 0, other: 0, value });

/** Steps are sent eight at a time, so a step alone waits until those before it have been answered. */
const alone = (next: Step): readonly Step[] => [next, ...Array<Step>(7).fill(one("wait"))];

/** A taken issue that is closed afterwards, and another one that its owner keeps. */
const OVER_AND_KEPT = [
  one("create"),
  one("takeKeyed", 0),
  one("close"),
  one("create"),
  one("takeKeyed", 1),
].flatMap(alone);

/** Makes another database from the export of the first one. */
async function restored(w: World, open: OpenTestStore): Promise<World> {
  const folder = await scratch();
  const file = join(folder, "export.jsonl");
  const snapshot = await w.store.openSnapshot();
  await writeFileWhole(file, exportLines(snapshot, { includeDeleted: true }));
  await snapshot.close();
  const target = await freshTarget(open.dialect, folder);
  await restoreFile(deps, { ...plain, file, target });
  const back = await world({
    store: async (options) => await openStore({ ...options, ...target, ids: systemIds() }),
  });
  back.clock.advance(instantToMs(w.clock.now()) - instantToMs(back.clock.now()));
  return back;
}

type KeyedEvent = StoredEvent<"issue.assigned" | "claim.acquired">;

function isKeyedTake(event: StoredEvent): event is KeyedEvent {
  const isTake = event.type === "issue.assigned" || event.type === "claim.acquired";
  return isTake && event.payload.idempotency_key !== undefined;
}

/** Sends again the request that this event answered. */
async function repeat(w: World, { actor, type, project_uid, payload }: KeyedEvent) {
  const project = await w.store.read(async ({ projects }) => await projects.find(project_uid));
  const answer = await w.send(takeReadyIssue, {
    params: { project_id: project?.id ?? 0 },
    headers: { "idempotency-key": payload.idempotency_key ?? "" },
    body: type === "issue.assigned" ? {} : { lease: { ttl_seconds: 60 } },
    actor,
  });
  const { issue, lease, error, reused } = (await answer.json()) as {
    readonly [field: string]: Record<string, unknown>;
  };
  const message = error?.["message"];
  return { status: answer.status, message, reused, uid: issue?.["uid"], fence: lease?.["fence"] };
}

describeStore("the idempotency keys of takes in an export", (open) => {
  test("are restored, and a repeated take is answered as before the export", {
    timeout: 120_000,
  }, async () => {
    const told = new Map<string, number>();
    await fc.assert(
      fc.asyncProperty(steps, async (all) => {
        const w = await world({ store: open });
        await (await RandomRun.begin(w)).steps(all);
        const back = await restored(w, open);
        await expectFolded(back.store);
        for (const event of (await w.events()).filter(isKeyedTake)) {
          const answer = await repeat(w, event);
          expect(await repeat(back, event)).toEqual(answer);
          const kind = answer.reused ? "reused" : String(answer.status);
          told.set(kind, (told.get(kind) ?? 0) + 1);
        }
        await Promise.all([w.store.close(), back.store.close()]);
      }),
      { numRuns: open.dialect === "sqlite" ? 15 : 5, examples: [[OVER_AND_KEPT]] },
    );
    // If these did not occur, the test would prove nothing.
    expect([...told.keys()]).toEqual(expect.arrayContaining(["reused", "409"]));
  });
});
