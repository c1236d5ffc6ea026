import { expect, test } from "vitest";
import type { EventDraft } from "../../src/contract/events.ts";
import type { AdminStore } from "../../src/store/admin-store.ts";
import type { ForeignEvent } from "../../src/store/types/store.ts";
import { FakeClock } from "../support/clock.ts";
import { describeStore } from "../support/store.ts";
import { commentEdited, commented, created, edited, labeled, T0, uid } from "./drafts.ts";
import { expectFolded } from "./fold.ts";
import { admitAs, asHub, BEGIN_MS, ForeignEvents } from "./foreign-events.ts";
import { P, Q } from "./random-events.ts";

const [A, B, C] = [uid(11), uid(12), uid(13)];
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

const headOf = async (store: AdminStore) =>
  await store.read(async ({ events }) => await events.head());

/** Expects that the page is refused with this error, and that no part of it is kept. */
async function expectRefused(
  store: AdminStore,
  page: readonly ForeignEvent[],
  error: object,
  options = { fromHub: true, ownUpTo: 0 },
): Promise<void> {
  const before = await headOf(store);
  await expect(admitAs(store, options, ...page)).rejects.toMatchObject(error);
  expect(await headOf(store)).toEqual(before);
}

describeStore("a page of another daemon is refused whole", (open) => {
  const fromSpoke = { fromHub: false, ownUpTo: 0 };

  test("if the clock of an event is more than 24 hours ahead of this machine and of its project", async () => {
    const clock = new FakeClock();
    const store = await asHub(await open({ clock }));
    const made = new ForeignEvents();
    const at = (ms: number) => ({ hlc_physical_ms: clock.nowMs() + ms });
    const fine = made.next(created(P, A), at(0));
    const ahead = made.next(edited(P, A, { title: "ahead" }), at(DAY_MS + 1));
    const refused = {
      code: "unavailable",
      data: { fault: "clock_ahead", event_uid: ahead.uid, ahead_ms: DAY_MS + 1 },
    };
    await expectRefused(store, [fine, ahead], refused, fromSpoke);
    const atMost = made.next(edited(P, A, { title: "at most" }), at(DAY_MS));
    expect(await admitAs(store, fromSpoke, fine, atMost)).toMatchObject({ accepted: 2 });
    expect(await admitAs(store, fromSpoke, ahead)).toMatchObject({ accepted: 1 });
    await expectFolded(store);
  });

  test("unless the clock of the same project was as far ahead before the page", async () => {
    const clock = new FakeClock();
    const store = await asHub(await open({ clock }));
    const made = new ForeignEvents();
    const at = (ms: number) => ({ hlc_physical_ms: clock.nowMs() + ms });
    await admitAs(store, fromSpoke, made.next(created(P, A), at(DAY_MS)));
    const next = made.next(created(P, B), at(2 * DAY_MS));
    const further = made.next(created(P, C), at(2 * DAY_MS + 1));
    const elsewhere = made.next(created(Q, B), at(DAY_MS + 1));
    const ahead = { code: "unavailable", data: { fault: "clock_ahead" } };
    await expectRefused(store, [elsewhere], ahead, fromSpoke);
    await expectRefused(store, [next, further], ahead, fromSpoke);
    expect(await admitAs(store, fromSpoke, next)).toMatchObject({ accepted: 1 });
  });

  test("if the clocks of its events run ahead in steps of 24 hours", async () => {
    const clock = new FakeClock();
    const store = await asHub(await open({ clock }));
    const made = new ForeignEvents();
    const at = (ms: number) => ({ hlc_physical_ms: clock.nowMs() + ms });
    const steps = [A, B, C].map((issue, n) => made.next(created(P, issue), at((n + 1) * DAY_MS)));
    const ahead = { code: "unavailable", data: { fault: "clock_ahead", ahead_ms: 2 * DAY_MS } };
    await expectRefused(store, steps, ahead, fromSpoke);
    for (const step of steps)
      expect(await admitAs(store, fromSpoke, step)).toMatchObject({ accepted: 1 });
  });

  test("if it has an event that this database wrote and lost, above the hub id up to which lost events may return", async () => {
    const store = await asHub(await open());
    const made = new ForeignEvents();
    const own = (hub_event_id?: number) => ({
      hlc_physical_ms: BEGIN_MS,
      origin_instance_uid: store.instanceUid,
      ...(hub_event_id === undefined ? {} : { hub_event_id }),
    });
    const back = made.next(created(P, A), own(50));
    const later = made.next(labeled(P, A, "bug"), own(51));
    const options = { fromHub: true, ownUpTo: 50 };
    const missing = (event: ForeignEvent) => ({
      code: "conflict",
      message: expect.stringContaining(event.uid),
      data: { fault: "own_event_missing", event_uid: event.uid },
    });
    await expectRefused(store, [back, later], missing(later), options);
    await expectRefused(store, [back], missing(back), { fromHub: true, ownUpTo: 49 });
    await expectRefused(store, [back], missing(back), { ...options, fromHub: false });
    const without = made.next(created(P, B), own());
    await expectRefused(store, [without], missing(without), options);
    expect(await admitAs(store, options, back)).toMatchObject({ accepted: 1 });
    await expectFolded(store);
  });
});

describeStore(
  "a page of another daemon with an event about something that belongs to another project or issue",
  (open) => {
    const at = (ms: number) => ({ hlc_physical_ms: BEGIN_MS + ms });
    const job = (project: string): EventDraft => ({
      ...{ type: "cron.job.updated", actor: "ann", project_uid: project },
      payload: {
        ...{ uid: uid(21), project_uid: project, name: "n", definition: {}, author: "ann" },
        ...{ created_at: T0, updated_at: T0 },
      },
    });
    const run = (
      project: string,
      fields: { readonly occurrence_key?: string } = {},
    ): EventDraft => ({
      ...{ type: "cron.run.observed", actor: "ann", project_uid: project },
      payload: {
        ...{ uid: uid(22), project_uid: project, actor: "ann", status: "running", summary: {} },
        ...{ revision: 1, created_at: T0, updated_at: T0, ...fields },
      },
    });
    const comment = uid(31);

    test.each<[string, EventDraft, EventDraft, string]>([
      [
        "an issue of another project",
        created(Q, A),
        edited(P, A, { title: "theirs" }),
        `its issue ${A} is in another project here`,
      ],
      [
        "an issue that another project created",
        created(Q, A),
        created(P, A),
        `its issue ${A} is in another project here`,
      ],
      [
        "an issue that an event of another project named before it was there",
        labeled(P, A, "bug"),
        created(Q, A),
        `its issue ${A} is in another project here`,
      ],
      [
        "a comment of another issue",
        commented(P, B, comment, "first"),
        commented(P, C, comment, "second"),
        `comment ${comment} is one of another issue`,
      ],
      [
        "the text of a comment of another issue",
        commented(P, B, comment, "first"),
        commentEdited(P, C, comment, "second"),
        `comment ${comment} is one of another issue`,
      ],
      ["a job of another project", job(Q), job(P), `${uid(21)} is in another project here`],
      ["a run of another project", run(Q), run(P), `${uid(22)} is in another project here`],
      [
        "a run with another occurrence",
        run(P, { occurrence_key: "one" }),
        run(P, { occurrence_key: "two" }),
        `it is another run than ${uid(22)}: its occurrence_key is not the same`,
      ],
    ])("the page is refused whole if an event is about %s", async (_, known, draft, why) => {
      const store = await asHub(await open());
      const made = new ForeignEvents();
      const issues = [B, C].map((issue) => made.next(created(P, issue), at(0)));
      await admitAs(store, { fromHub: true }, ...issues);
      const [first, second] = [made.next(known, at(1)), made.next(draft, at(2))];
      const refusal = { code: "validation", message: `event ${second.uid}: ${why}` };
      await expectRefused(store, [first, second], refusal);
      expect(await admitAs(store, { fromHub: true }, first)).toMatchObject({ accepted: 1 });
      await expectRefused(store, [made.next(created(P, uid(14)), at(1)), second], refusal);
      await expectFolded(store);
    });
  },
);

describeStore("the counter of the clock", (open) => {
  test.each([
    ["below the greatest", 2 ** 31 - 1, 0, 2 ** 31],
    ["that is the greatest", 2 ** 31, 1, 0],
  ])(
    "a counter %s is continued, and a full counter carries to the next millisecond",
    async (_, counter, ms, next) => {
      const clock = new FakeClock();
      const store = await asHub(await open({ clock }));
      const physical = clock.nowMs() + HOUR_MS;
      const place = { hlc_physical_ms: physical, hlc_counter: counter };
      await admitAs(store, { fromHub: false }, new ForeignEvents().next(created(P, A), place));
      await store.write(async (tx) => await tx.append(created(P, B)));
      expect(await headOf(store)).toMatchObject({
        hlc_physical_ms: physical + ms,
        hlc_counter: next,
      });
    },
  );
});
