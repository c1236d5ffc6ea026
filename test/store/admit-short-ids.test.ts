import { expect, test } from "vitest";
import type { EventDraft, Payload } from "../../src/contract/events.ts";
import type { AdminStore } from "../../src/store/admin-store.ts";
import { describeStore } from "../support/store.ts";
import { created, projectCreated, T0 } from "./drafts.ts";
import { expectFolded } from "./fold.ts";
import { admitAs, asHub, asSpoke, BEGIN_MS, baseline, ForeignEvents } from "./foreign-events.ts";
import { P } from "./random-events.ts";

const issueUid = (end: string): string => `01J0000000000${end}`;
/** Uids that end in the same four characters, and differ in the fifth. */
const OWN = issueUid("00000000ABCDE");
const HUBS = issueUid("00000000ZBCDE");
const THIRD = issueUid("00000000YBCDE");
const SHORT = "bcde";
/** Uids that end in the same five characters, and differ in the sixth. */
const [FIRST, SECOND, LAST] = ["1", "2", "3"].map((one) => issueUid(`0000000${one}ABCDE`)) as [
  string,
  string,
  string,
];

const named = (issue: string, short_id = SHORT) => created(P, issue, { short_id });

function snapshot(issue_uid: string, short_id: string): EventDraft<"issue.snapshot"> {
  const payload: Payload<"issue.snapshot"> = {
    ...{ uid: issue_uid, short_id, title: "one", body: "", author: "ann", status: "open" },
    ...{ metadata: {}, revision: 1, created_at: T0, updated_at: T0 },
  };
  return { type: "issue.snapshot", actor: "ann", project_uid: P, issue_uid, payload };
}

const shortIds = async (store: AdminStore, ...uids: readonly string[]) =>
  await store.read(async ({ issues }) => {
    const found = await issues.many(uids);
    return uids.map((uid) => found.get(uid)?.short_id);
  });

async function writeHere(store: AdminStore, ...drafts: readonly EventDraft[]): Promise<void> {
  await store.write(async (tx) => {
    for (const draft of drafts) await tx.append(draft);
  });
}

describeStore("two issues with one short id", (open) => {
  test("the issue that the hub knew first keeps the short id", async () => {
    const store = await asHub(await open());
    await writeHere(store, named(OWN));
    const late = new ForeignEvents().next(named(HUBS), { hlc_physical_ms: BEGIN_MS });
    await admitAs(store, { fromHub: false }, late);
    expect(await shortIds(store, OWN, HUBS)).toEqual([SHORT, "zbcde"]);
    await expectFolded(store);
  });

  test("an unsent issue of a copy leaves the short id to the hub's issue", async () => {
    const store = await open();
    const pull = await asSpoke(store);
    await writeHere(store, named(OWN));
    expect(await pull(named(HUBS))).toMatchObject({ accepted: 1 });
    expect(await shortIds(store, OWN, HUBS)).toEqual(["abcde", SHORT]);
    expect(await pull(named(THIRD))).toMatchObject({ accepted: 1 });
    expect(await shortIds(store, OWN, HUBS, THIRD)).toEqual(["abcde", SHORT, "ybcde"]);
    await expectFolded(store);
    expect(await store.write(async (tx) => await tx.refold([OWN, HUBS, THIRD]))).toBe(0);
  });

  test("of two issues of the hub, the older issue keeps the short id on a copy", async () => {
    const store = await open();
    const pull = await asSpoke(store);
    await pull(named(OWN), named(HUBS));
    expect(await shortIds(store, OWN, HUBS)).toEqual([SHORT, "zbcde"]);
    await expectFolded(store);
  });

  test("an unsent issue of a copy gives up its short id to the hub's issue even if that id is already a lengthened one", async () => {
    const store = await open();
    const pull = await asSpoke(store);
    await pull(named(FIRST));
    await writeHere(store, named(LAST, "abcde"));
    await pull(named(SECOND));
    expect(await shortIds(store, FIRST, SECOND, LAST)).toEqual([SHORT, "abcde", "3abcde"]);
    await expectFolded(store);
    expect(await store.write(async (tx) => await tx.refold([FIRST, SECOND, LAST]))).toBe(0);
  });

  test.each(["in one page", "one after the other"])(
    "three issues get the short ids that the hub gave, in whatever order they arrive: %s",
    async (how) => {
      const store = await open();
      await writeHere(store, projectCreated(P, "web"));
      const made = new ForeignEvents();
      const first = { hlc_physical_ms: BEGIN_MS, hub_event_id: 1 };
      await admitAs(store, { fromHub: true }, made.next(baseline(P), first));
      const events = [FIRST, SECOND, LAST].map((issue, at) =>
        made.next(named(issue), { hlc_physical_ms: BEGIN_MS + at, hub_event_id: 100 + at }),
      );
      const late = events.toReversed();
      const pages = how === "in one page" ? [late] : late.map((event) => [event]);
      for (const page of pages) await admitAs(store, { fromHub: true }, ...page);
      expect(await shortIds(store, FIRST, SECOND, LAST)).toEqual([SHORT, "abcde", "3abcde"]);
      await expectFolded(store);
      expect(await store.write(async (tx) => await tx.refold([FIRST, SECOND, LAST]))).toBe(0);
    },
  );

  test("a snapshot decides which issue has the short id, also if two issues have exchanged their short ids", async () => {
    const store = await open();
    const pull = await asSpoke(store);
    await pull(named(OWN), named(HUBS));
    await pull(baseline(P), snapshot(OWN, "abcde"), snapshot(HUBS, SHORT));
    expect(await shortIds(store, OWN, HUBS)).toEqual(["abcde", SHORT]);
    await pull(baseline(P), snapshot(HUBS, "abcde"), snapshot(OWN, SHORT));
    expect(await shortIds(store, OWN, HUBS)).toEqual([SHORT, "abcde"]);
    await expectFolded(store);
    expect(await store.write(async (tx) => await tx.refold([OWN, HUBS]))).toBe(0);
  });

  test("a snapshot takes a short id that was computed for another issue on the same page", async () => {
    const store = await open();
    const pull = await asSpoke(store);
    await pull(named(HUBS), named(OWN), snapshot(THIRD, "abcde"));
    const [third, own] = await shortIds(store, THIRD, OWN);
    expect(third).toBe("abcde");
    expect(own).toBe("0abcde");
    await expectFolded(store);
  });

  test("short ids stay different if two snapshots of one page name the same one", async () => {
    const store = await open();
    const pull = await asSpoke(store);
    await pull(snapshot(OWN, SHORT), snapshot(HUBS, SHORT));
    expect(await shortIds(store, OWN, HUBS)).toEqual(["abcde", SHORT]);
    await expectFolded(store);
  });

  test("issues that were made here lose short ids that the hub never gives again", async () => {
    const store = await open();
    const pull = await asSpoke(store);
    await writeHere(store, named(OWN));
    const first = baseline(P);
    const former_short_ids = [{ short_id: "ybcde", issue_uid: issueUid("0000000000001") }];
    const payload = { ...first.payload, spent_short_ids: [SHORT], former_short_ids };
    await pull({ ...first, payload }, named(HUBS), named(THIRD));
    expect(await shortIds(store, OWN, HUBS, THIRD)).toEqual(["abcde", "zbcde", "0ybcde"]);
    await expectFolded(store);
  });
});
