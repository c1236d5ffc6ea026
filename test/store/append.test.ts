import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { msToInstant } from "../../src/base/clock.ts";
import { describeStore } from "../support/store.ts";
import {
  aliasAdded,
  closed,
  commentEdited,
  commented,
  created,
  edited,
  labeled,
  linksChanged,
  log,
  metadataSet,
  projectCreated,
  projectRemoved,
  T0,
  uid,
  unlabeled,
} from "./drafts.ts";
import { bothSides, expectFolded } from "./fold.ts";

const P = uid(1);
const [A, B, C] = [uid(11), uid(12), uid(13)];
const LINK = { type: "blocks", to_issue_uid: A, to_short_id: "a", author: "ann" } as const;

/** A clock that the test sets. */
function handClock(startMs: number) {
  let ms = startMs;
  return {
    set: (to: number) => {
      ms = to;
    },
    clock: {
      nowMs: () => ms,
      now: () => msToInstant(ms),
      // Time passes only when the test sets it.
      sleep: async (_ms: number, signal?: AbortSignal) =>
        await new Promise<void>((wake) => signal?.addEventListener("abort", () => wake())),
    },
  };
}

describeStore("append", (open) => {
  test("gives an event the next id and this instance as origin, and writes its rows in the same write", async () => {
    const store = await open();
    const events = await store.write(async (tx) => {
      const first = await tx.append(projectCreated(P, "web"));
      const second = await tx.append(
        created(P, A, { labels: ["bug"], metadata: { "work.branch": "x" } }),
      );
      expect(await tx.issues.find(A)).toMatchObject({ project_name: "web", title: "Issue 000011" });
      return [first, second];
    });
    expect(events.map(({ id, origin_instance_uid }) => [id, origin_instance_uid])).toEqual([
      [1, store.instanceUid],
      [2, store.instanceUid],
    ]);
    await store.read(async (reader) => {
      expect(await reader.events.after(0, 10)).toEqual(events);
      expect(await reader.events.find(events[1]?.uid ?? "")).toEqual(events[1]);
      expect((await reader.labels.of(A)).map(({ label }) => label)).toEqual(["bug"]);
      expect(await reader.events.lastId()).toBe(2);
    });
    await expectFolded(store);
  });

  test("hashes the envelope and the canonical payload, with numbers as they were spelled", async () => {
    const store = await open();
    const metadata = { b: JSON.parse("9007199254740993"), a: 1 };
    const event = await store.write(async (tx) => {
      await tx.append(projectCreated(P, "web"));
      return await tx.append(created(P, A, { metadata }));
    });
    const stored = await store.read(async (reader) => await reader.events.find(event.uid));
    const {
      uid: event_uid,
      origin_instance_uid,
      project_uid,
      issue_uid,
      type,
      actor,
      hlc_physical_ms,
      hlc_counter,
      created_at,
    } = event;
    const head = JSON.stringify({
      uid: event_uid,
      origin_instance_uid,
      project_uid,
      issue_uid,
      type,
      actor,
      hlc_physical_ms,
      hlc_counter,
      created_at,
    });
    const payload = JSON.stringify(stored?.payload);
    expect(payload).toMatch(/^{"author":"ann","body":"","created_at":/);
    const text = `${head.slice(0, -1)},"payload":${payload}}`;
    expect(event.content_hash).toBe(createHash("sha256").update(text).digest("hex"));
  });

  test("gives new issues appended together the same events and rows as one by one", async () => {
    const drafts = [
      created(P, A, { labels: ["bug", "ui"], metadata: { someday: true, at: 1 } }),
      created(P, B, { status: "closed", closed_reason: "done", closed_at: T0, labels: ["bug"] }),
      created(P, C, { source: "t", external_id: "c", metadata: { scheduled_on: "2031-01-01" } }),
    ];
    const found = [];
    for (const isTogether of [true, false]) {
      const store = await open();
      await log(store, projectCreated(P, "web"));
      await store.write(async (tx) => {
        if (isTogether) await tx.appendNewIssues(drafts);
        else for (const draft of drafts) await tx.append(draft);
      });
      await expectFolded(store);
      const { stored } = await bothSides(store);
      const events = await store.read(async (reader) => await reader.events.after(0, 10));
      found.push({ stored, ids: events.map(({ id, issue_uid }) => [id, issue_uid]) });
    }
    const [together, oneByOne] = found;
    const withoutTimes = (side: unknown): string =>
      JSON.stringify(side).replaceAll(/20\d\d-[^"]*Z/g, "");
    expect(withoutTimes(together)).toEqual(withoutTimes(oneByOne));
  });

  test.each([
    ["an issue that exists", () => [created(P, B), created(P, A)]],
    ["the same issue twice", () => [created(P, B), created(P, B)]],
    ["an issue with a link", () => [created(P, B), created(P, C, { links: [LINK] })]],
  ])(
    "requires issues that are appended together to be new and distinct: %s is an error",
    async (_, drafts) => {
      const store = await open();
      await log(store, projectCreated(P, "web"), created(P, A));
      const written = store.write(async (tx) => await tx.appendNewIssues(drafts()));
      await expect(written).rejects.toThrow("each is new, without links");
      expect(await store.read(async (reader) => await reader.events.lastId())).toBe(2);
      await expectFolded(store);
    },
  );

  test("never moves the hybrid clock back, not even over a restart", async () => {
    const database = await open.database();
    const hand = handClock(1_000_000);
    const first = await database.open({ clock: hand.clock });
    const clocks: (readonly [number, number])[] = [];
    const append = async (store: typeof first, name: string): Promise<void> => {
      const event = await store.write(
        async (tx) => await tx.append(projectCreated(uid(clocks.length + 1), name)),
      );
      clocks.push([event.hlc_physical_ms, event.hlc_counter]);
    };
    await append(first, "a");
    await append(first, "b");
    hand.set(999_000);
    await append(first, "c");
    await first.close();
    const second = await database.open({ clock: hand.clock });
    await append(second, "d");
    hand.set(1_000_001);
    await append(second, "e");
    expect(clocks).toEqual([
      [1_000_000, 0],
      [1_000_000, 1],
      [1_000_000, 2],
      [1_000_000, 3],
      [1_000_001, 0],
    ]);
  });

  test("writes every kind of row as the fold of its events", async () => {
    const store = await open();
    await log(
      store,
      projectCreated(P, "web"),
      projectCreated(uid(2), "api"),
      aliasAdded(P, "git.example/web"),
      aliasAdded(P, "git.example/old"),
    );
    await log(
      store,
      created(P, A, {
        idempotency_key: "k",
        idempotency_fingerprint: "f",
        source: "beads",
        external_id: "b-1",
      }),
      created(P, B),
      created(uid(2), C),
    );
    await log(
      store,
      linksChanged(P, A, { parent_set_uid: B, blocks_added_uids: [C], related_added_uids: [B] }),
      edited(P, A, { title: "Better", owner: "bea" }),
      labeled(P, A, "x"),
      labeled(P, A, "y"),
      unlabeled(P, A, "x"),
      commented(P, A, uid(31), "first"),
      commentEdited(P, A, uid(31), "second"),
      metadataSet(P, A, { "a.b": { to: "v" }, gone: { to: 1 } }),
      metadataSet(P, A, { gone: { from: 1 } }),
      closed(P, B),
    );
    await expectFolded(store);
    await log(store, projectRemoved(P));
    await expectFolded(store);
    await store.read(async (reader) => {
      expect(await reader.marks.findIdempotency(P, "create", "k")).toMatchObject({
        fingerprint: "f",
      });
      expect(await reader.marks.findImport(P, "beads", "b-1")).toMatchObject({ issue_uid: A });
      expect(await reader.projects.findByAlias("git.example/web")).toBeUndefined();
      expect(await reader.links.ancestors(A)).toEqual([B]);
    });
  });

  test("keeps the counts of a project equal to its issues and its log", async () => {
    const store = await open();
    await log(
      store,
      projectCreated(P, "web"),
      created(P, A),
      created(P, B),
      created(P, C),
      closed(P, C),
    );
    const stats = async () =>
      await store.read(async (reader) => (await reader.projects.stats([P])).get(P));
    expect(await stats()).toMatchObject({ open: 2, closed: 1 });
    await log(store, {
      type: "issue.soft_deleted",
      actor: "a",
      project_uid: P,
      issue_uid: C,
      payload: { deleted_at: "2026-01-02T00:00:00.000Z" },
    });
    expect(await stats()).toMatchObject({ open: 2, closed: 0 });
  });

  test("stores text of every script, quotes and long values unchanged", async () => {
    const store = await open();
    const title = `"quoted" 'single' \\ back $1 ? – 漢字 🎉 a\u0301`;
    const metadata = {
      ["k".repeat(3000)]: "v".repeat(10_000),
      "a'b\"c": "d'e\"f",
      nested: { deep: [1, null, "x"] },
    };
    await log(
      store,
      projectCreated(P, "web"),
      created(P, A, { title, body: "b".repeat(300_000), metadata }),
    );
    const issue = await store.read(async (reader) => await reader.issues.find(A));
    expect(issue).toMatchObject({ title, metadata });
    await store.read(async (reader) => {
      for (const [key, value] of [
        ["k".repeat(3000), "v".repeat(10_000)],
        ["a'b\"c", "d'e\"f"],
      ] as const) {
        expect(await reader.issues.list({ meta: [{ key, value }] }, "created")).toHaveLength(1);
        expect(
          await reader.issues.list({ meta: [{ key, value: `${value}!` }] }, "created"),
        ).toHaveLength(0);
      }
    });
    await expectFolded(store);
  });
});
