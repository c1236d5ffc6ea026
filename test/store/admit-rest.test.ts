import fc from "fast-check";
import { expect, test } from "vitest";
import { msToInstant } from "../../src/base/clock.ts";
import type { EventDraft } from "../../src/contract/events.ts";
import type { AdminStore } from "../../src/store/admin-store.ts";
import { eventsBehind } from "../../src/store/repos/late-events.ts";
import { describeStore } from "../support/store.ts";
import { created, labeled, projectCreated, uid } from "./drafts.ts";
import { expectFolded } from "./fold.ts";
import { admitAs, asHub, BEGIN_MS, baseline, ForeignEvents } from "./foreign-events.ts";
import { chunks, P, Q } from "./random-events.ts";

const A = uid(11);

/** A step: what is done, to which row, with which value. */
type Step = readonly [kind: number, row: number, value: number];

const steps = fc.array(fc.tuple(fc.nat(7), fc.nat(3), fc.nat(9)), { minLength: 2, maxLength: 40 });

function metadataOf(project_uid: string, key: string, to: string): EventDraft {
  const payload = { diff: { [key]: { to } }, revision_new: 0, updated_at: msToInstant(BEGIN_MS) };
  return { type: "project.metadata_updated", actor: "ann", project_uid, payload };
}

function snapshotOf(issue_uid: string): EventDraft {
  const time = msToInstant(BEGIN_MS);
  const payload = {
    ...{ uid: issue_uid, short_id: "abcd", title: "one", body: "", author: "ann" },
    ...{ status: "open" as const, metadata: {}, revision: 1, created_at: time, updated_at: time },
  };
  return { type: "issue.snapshot", actor: "ann", project_uid: P, issue_uid, payload };
}

/** Snapshots name a version of their own, as old as the step says. */
function draftOf([kind, row, value]: Step, at: number): EventDraft {
  const project_uid = row % 2 === 0 ? P : Q;
  const time = msToInstant(BEGIN_MS + at);
  const act = { actor: "ann", project_uid };
  const common = { project_uid, created_at: time, updated_at: time };
  const definition = {
    ...{ ...common, uid: uid(300 + row), name: `n${value}`, author: `a${value}` },
    definition: { value },
  };
  const hlc = { version: 1 as const, physical_ms: BEGIN_MS + value, counter: 0 };
  const version = {
    ...{ definition_event_uid: uid(400 + value), revision: value + 1 },
    definition_hlc: { ...hlc, origin_instance_uid: uid(901) },
  };
  const run = {
    ...{ ...common, uid: uid(500 + row), actor: "ann", summary: { value }, revision: value + 1 },
    status: value % 2 === 0 ? ("running" as const) : ("failed" as const),
  };
  switch (kind) {
    case 0:
      return metadataOf(project_uid, `k${value % 3}`, `v${at}`);
    case 1:
      return { ...act, type: "cron.job.created", payload: definition };
    case 2:
      return { ...act, type: "cron.job.updated", payload: definition };
    case 3:
      return { ...act, type: "cron.job.deleted", payload: { ...definition, deleted_at: time } };
    case 4:
      return { ...act, type: "cron.job.snapshot", payload: { ...definition, ...version } };
    case 5:
      return { ...act, type: "cron.workflow.updated", payload: definition };
    case 6:
      return { ...act, type: "cron.run.observed", payload: run };
    default: {
      const observation = {
        observation_event_uid: uid(600 + value),
        observation_hlc: { ...hlc, origin_instance_uid: uid(901) },
      };
      return { ...act, type: "cron.run.snapshot", payload: { ...run, ...observation } };
    }
  }
}

const metadata = async (store: AdminStore) =>
  await store.read(async ({ projects }) => (await projects.find(P))?.metadata);

describeStore("events of other daemons that are about no issue", (open) => {
  test("events are folded by their clocks, in whatever order and pages they arrive", {
    timeout: 120_000,
  }, async () => {
    await fc.assert(
      fc.asyncProperty(
        steps,
        fc.infiniteStream(fc.nat()),
        fc.integer({ min: 1, max: 12 }),
        async (all, chance, size) => {
          const store = await asHub(await open());
          const made = new ForeignEvents();
          const events = all
            .map((step, at) => {
              const clock = {
                hlc_physical_ms: BEGIN_MS + at,
                origin_instance_uid: uid(901 + (at % 3)),
              };
              return { event: made.next(draftOf(step, at), clock), order: chance.next().value };
            })
            .sort((one, other) => one.order - other.order);
          for (const page of chunks(events, size))
            await admitAs(store, { fromHub: false }, ...page.map(({ event }) => event));
          await expectFolded(store);
          await store.close();
        },
      ),
      { numRuns: open.dialect === "sqlite" ? 30 : 6, endOnFailure: true },
    );
  });

  test("events change a project's metadata in the order of their clocks, also if the older event arrives later", async () => {
    const store = await asHub(await open());
    const made = new ForeignEvents();
    const at = (ms: number) => ({ hlc_physical_ms: BEGIN_MS + ms });
    await admitAs(store, { fromHub: false }, made.next(metadataOf(P, "color", "new"), at(2)));
    await admitAs(
      store,
      { fromHub: false },
      made.next(metadataOf(P, "color", "old"), at(1)),
      made.next(metadataOf(P, "size", "big"), at(1)),
    );
    expect(await metadata(store)).toEqual({ color: "new", size: "big" });
    await expectFolded(store);
  });

  test("unsent events take effect after a baseline that arrives from the hub", async () => {
    const store = await open();
    await store.write(async (tx) => {
      await tx.append(projectCreated(P, "web"));
    });
    const made = new ForeignEvents();
    const hub = (hlc_physical_ms: number, hub_event_id: number) => ({
      ...{ origin_instance_uid: uid(902), hlc_physical_ms, hub_event_id },
    });
    await admitAs(store, { fromHub: true }, made.next(baseline(P), hub(BEGIN_MS, 10)));
    await store.write(async (tx) => {
      await tx.append(metadataOf(P, "color", "not sent"));
    });
    const { hlc_physical_ms } = await store.read(async ({ events }) => await events.head());
    const first = baseline(P);
    const later = { ...first, payload: { ...first.payload, metadata: { color: "of the hub" } } };
    await admitAs(store, { fromHub: true }, made.next(later, hub(hlc_physical_ms + 5000, 13)));
    expect(await metadata(store)).toEqual({ color: "not sent" });
    await expectFolded(store);
  });

  test("events count as unsent only if they are of a kind that is sent and the hub lacks them", async () => {
    const store = await asHub(await open());
    const made = new ForeignEvents();
    const local = await store.write(async (tx) => {
      await tx.append(created(Q, A));
      const [issue, label] = [created(P, uid(12)), labeled(P, uid(12), "bug")];
      const moved = {
        source: "x",
        external_id: "1",
        fields: {},
        updated_at: issue.payload.created_at,
      };
      const kept = [await tx.append(issue), await tx.append(label)];
      const { actor, project_uid, issue_uid } = label;
      const of = { actor, project_uid, ...(issue_uid === undefined ? {} : { issue_uid }) };
      await tx.append({ ...of, type: "issue.imported", payload: moved });
      return [...kept, await tx.append(metadataOf(P, "color", "red"))];
    });
    const known = made.next(created(P, uid(13)), { hlc_physical_ms: BEGIN_MS, hub_event_id: 5 });
    const snapshots = [5, 20].map((ms) =>
      made.next(snapshotOf(uid(14)), { hlc_physical_ms: BEGIN_MS + ms, hub_event_id: 5 + ms }),
    );
    await admitAs(store, { fromHub: true }, known, ...snapshots);
    const snapshot = await store.openSnapshot();
    const arrival = {
      ...{ project_uid: P, hub_event_id: 5, before: Number.MAX_SAFE_INTEGER },
      ...{ hlc_physical_ms: BEGIN_MS + 10, hlc_counter: 0 },
    };
    const unsent = await eventsBehind(snapshot.connection, arrival);
    await snapshot.close();
    const expected = ["project.federation_enabled", ...local.map(({ type }) => type)];
    // The younger snapshot keeps its place.
    expect(unsent.map(({ type }) => type)).toEqual([...expected, "issue.snapshot"]);
    expect(unsent.at(-1)?.uid).toBe(snapshots[0]?.uid);
  });
});
