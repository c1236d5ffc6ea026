import { expect, test } from "vitest";
import { instantToMs, msToInstant } from "../../../src/base/clock.ts";
import type { SvcError } from "../../../src/contract/errors.ts";
import { STALE_MS } from "../../../src/domain/bridges/claim.ts";
import type { BridgeRow, ExternalCommentRow } from "../../../src/store/types/bridges.ts";
import type { Reader } from "../../../src/store/types/store.ts";
import { bridgeRow, externalCommentRow, mappingRow } from "../../support/bridges.ts";
import { makeHub } from "../../support/federated.ts";
import { describeStore } from "../../support/store.ts";
import { type OpenStore, type World, world } from "../../support/world.ts";

type GivenIssue = { readonly uid: string; readonly project_uid: string };

async function given(open: OpenStore) {
  const w = await world({ store: open });
  const project = await w.given.project();
  const put = async (row: BridgeRow): Promise<BridgeRow> => {
    await w.store.write(async (tx) => await tx.unfolded.put("external_root_binding", row));
    return row;
  };
  const bind = async (more: Partial<BridgeRow> = {}): Promise<BridgeRow> => {
    const issue = await w.given.issue({ project });
    return await put(bridgeRow(w, issue.uid, more));
  };
  const read = async <T>(work: (bridges: Reader["bridges"]) => Promise<T>): Promise<T> =>
    await w.store.read(async ({ bridges }) => await work(bridges));
  return { w, project, put, bind, read };
}

describeStore("the store of bridges", (open) => {
  test("gives the active bridge of an issue and of a root, and keeps ended ones", async () => {
    const { w, put, bind, read } = await given(open);
    const old = await bind({ external_root_key: "r", active: 0, enabled: 0 });
    const row = await put(bridgeRow(w, old.issue_uid, { external_root_key: "r" }));
    const stored = { ...row, id: 2 };
    expect(await read(async (b) => await b.active(row.issue_uid))).toEqual(stored);
    expect(await read(async (b) => await b.byUid(row.uid))).toEqual(stored);
    expect(await read(async (b) => await b.ofRoot("notes", "r"))).toEqual(stored);
    expect(await read(async (b) => await b.ofRoot("other", "r"))).toBeUndefined();
    expect(await read(async (b) => (await b.ofIssue(row.issue_uid)).map(({ id }) => id))).toEqual([
      2, 1,
    ]);
  });

  test("names another issue to which a root was ever bound", async () => {
    const { bind, read } = await given(open);
    const old = await bind({ external_root_key: "r", active: 0, enabled: 0 });
    const other = await bind();
    const asked = async (issue: string) =>
      await read(async (b) => await b.otherIssueOf("notes", "r", issue));
    expect(await asked(other.issue_uid)).toBe(old.issue_uid);
    expect(await asked(old.issue_uid)).toBeUndefined();
  });

  test.each([
    ["a second bridge of an issue", { external_root_key: "other" }],
    ["a second issue of a root", { issue_uid: "01J00000000000000000000009" }],
  ])("has no room for %s while the first is active", async (_, differing) => {
    const { w, put, bind } = await given(open);
    const row = await bind();
    const twin = { ...row, ...differing, uid: w.ids.ulid() };
    await expect(put(twin)).rejects.toThrow(/unique/i);
    await put({ ...row, active: 0, enabled: 0 });
    await put(twin);
  });

  test("tells whether a project has an active bridge", async () => {
    const { w, project, put, bind, read } = await given(open);
    const other = await w.given.project("other");
    const row = await bind({ enabled: 0 });
    const has = async (uid: string) => await read(async (b) => await b.activeIn(uid));
    expect([await has(project.uid), await has(other.uid)]).toEqual([true, false]);
    await put({ ...row, active: 0 });
    expect(await has(project.uid)).toBe(false);
  });

  const NOW = "2026-03-01T12:00:00.000Z";
  const FRESH = "2026-03-01T11:55:00.000Z";
  const FRESH_TO = "2026-03-01T12:05:00.000Z";
  const LATEST = "2026-03-01T12:30:00.000Z";
  const TIMES = { asOf: NOW, latest: LATEST, freshFrom: FRESH, freshTo: FRESH_TO };

  test.each<readonly [string, Partial<BridgeRow>, boolean]>([
    ["has no time of a next attempt", {}, true],
    ["is due now", { next_attempt_at: NOW }, true],
    ["is due later", { next_attempt_at: "2026-03-01T12:00:00.001Z" }, false],
    ["is due as late as a bridge can be", { next_attempt_at: LATEST }, false],
    [
      "was due after a wait that began before the clock was set back",
      { next_attempt_at: "2026-03-01T12:30:00.001Z" },
      true,
    ],
    ["is paused", { enabled: 0 }, false],
    ["was ended", { active: 0, enabled: 0 }, false],
    ["has a run", { claim_token: "t", claim_started_at: FRESH }, false],
    ["had a run", { claim_token: "t", claim_started_at: "2026-03-01T11:54:59.999Z" }, true],
    [
      "has a run of a clock that goes ahead",
      { claim_token: "t", claim_started_at: FRESH_TO },
      false,
    ],
    [
      "had a run before the clock was set back",
      { claim_token: "t", claim_started_at: "2026-03-01T12:05:00.001Z" },
      true,
    ],
  ])("a scan runs a bridge that %s: %s %s", async (_, more, isDue) => {
    const { bind, read } = await given(open);
    const row = await bind(more);
    const due = await read(async (b) => await b.due({ ...TIMES, without: [], limit: 10 }));
    const asked = await read(async (b) => await b.dueOfIssues([row.issue_uid], TIMES));
    for (const found of [due, asked])
      expect(found.map(({ uid }) => uid)).toEqual(isDue ? [row.uid] : []);
  });

  const COPY = { role: "spoke", hub_url: "https://hub.example" } as const;

  test.each<readonly [string, boolean, (w: World, of: GivenIssue) => Promise<void>]>([
    ["whose issue was deleted", false, async (w, of) => await w.given.deleted(of)],
    [
      "whose project was archived",
      false,
      async (w, { project_uid: uid }) => await w.given.archived({ uid }),
    ],
    [
      "whose project is a copy that only reads",
      false,
      async (w, { project_uid: uid }) => await makeHub(w, { uid }, COPY),
    ],
    [
      "whose project is a copy that sends",
      true,
      async (w, { project_uid: uid }) => await makeHub(w, { uid }, { ...COPY, push_enabled: 1 }),
    ],
    [
      "whose project has copies elsewhere",
      true,
      async (w, { project_uid: uid }) => await makeHub(w, { uid }),
    ],
  ])("a scan runs a bridge %s: %s", async (_, isDue, change) => {
    const { w, project, put, read } = await given(open);
    const { uid } = await w.given.issue({ project });
    await change(w, { uid, project_uid: project.uid });
    const row = await put(bridgeRow(w, uid));
    const due = await read(async (b) => await b.due({ ...TIMES, without: [], limit: 10 }));
    const asked = await read(async (b) => await b.dueOfIssues([uid], TIMES));
    for (const found of [due, asked])
      expect(found.map((one) => one.uid)).toEqual(isDue ? [row.uid] : []);
  });

  test("a scan leaves out connectors that may have no further run", async () => {
    const { bind, read } = await given(open);
    const [notes, files] = [await bind(), await bind({ connector_instance: "files" })];
    const uids = async (without: readonly string[]) =>
      (await read(async (b) => await b.due({ ...TIMES, without, limit: 10 }))).map(
        ({ uid }) => uid,
      );
    expect(await uids([])).toEqual([notes.uid, files.uid]);
    expect(await uids(["notes", "other"])).toEqual([files.uid]);
    expect(await uids(["notes", "files"])).toEqual([]);
  });

  test("bridges are counted, and the enabled ones found by their issues", async () => {
    const { bind, read } = await given(open);
    const rows = [
      await bind(),
      await bind({ consecutive_failures: 2 }),
      await bind({ enabled: 0, consecutive_failures: 1 }),
      await bind({ active: 0, enabled: 0 }),
    ];
    expect(await read(async (b) => await b.counts())).toEqual({ enabled: 2, failing: 1 });
    const issues = rows.map(({ issue_uid }) => issue_uid);
    const found = await read(async (b) => await b.enabledOf([...issues, "other"]));
    expect(new Set(found.map(({ uid }) => uid))).toEqual(new Set([rows[0]?.uid, rows[1]?.uid]));
    expect(await read(async (b) => await b.enabledOf([]))).toEqual([]);
    expect(await read(async (b) => await b.dueOfIssues([], TIMES))).toEqual([]);
  });

  test("a scan takes those without a time first, then by time and id, up to its limit", async () => {
    const { bind, read } = await given(open);
    await bind({ next_attempt_at: NOW });
    await bind({ next_attempt_at: FRESH });
    await bind();
    await bind({ next_attempt_at: FRESH });
    const ids = async (limit: number) =>
      await read(async (b) => (await b.due({ ...TIMES, without: [], limit })).map(({ id }) => id));
    expect(await ids(10)).toEqual([3, 2, 4, 1]);
    expect(await ids(2)).toEqual([3, 2]);
  });

  test("comments here come in pages, and each says whether the bridge has a row of it", async () => {
    const { w, project, read } = await given(open);
    const issue = await w.given.issue({ project });
    const row = bridgeRow(w, issue.uid);
    const comments: { readonly uid: string }[] = [];
    for (const body of ["first", "second", "third"])
      comments.push((await w.given.comment({ on: issue, body })).comment);
    const local = (comment_id: string) =>
      externalCommentRow(w, row, { side: "local", comment_id, state: "skipped" });
    await w.store.write(async ({ unfolded }) => {
      await unfolded.put("external_root_binding", row);
      await unfolded.put("external_comment", local(comments[0]?.uid ?? ""));
    });
    const page = async (after: number, limit: number) =>
      await read(async (b) => await b.commentsAfter(row, after, limit));
    const all = await page(0, 5);
    const uids = comments.map(({ uid }) => uid);
    expect(all.map(({ uid, known }) => [uid, known])).toEqual([
      [uids[0], 1],
      [uids[1], 0],
      [uids[2], 0],
    ]);
    const [first] = await page(0, 1);
    expect(await page(first?.id ?? 0, 5)).toEqual(all.slice(1));
    const known = await read(async (b) => await b.localComment(row.uid, comments[0]?.uid ?? ""));
    expect(known?.state).toBe("skipped");
  });

  test("external comments are found by their ids", async () => {
    const { w, bind, read } = await given(open);
    const row = await bind();
    const seen = externalCommentRow(w, row, { comment_id: "a'b", revision: "1" });
    await w.store.write(async (tx) => await tx.unfolded.put("external_comment", seen));
    const found = await read(async (b) => await b.externalComments(row.uid, ["a'b", "c"]));
    expect([...found]).toEqual([["a'b", seen]]);
    expect(await read(async (b) => (await b.externalComments(row.uid, [])).size)).toBe(0);
  });

  test("external comments come with the texts of those that were imported", async () => {
    const { w, project, read } = await given(open);
    const issue = await w.given.issue({ project });
    const row = bridgeRow(w, issue.uid);
    const { comment } = await w.given.comment({ on: issue, body: "text here" });
    const known = (comment_id: string, more: Partial<ExternalCommentRow>) =>
      externalCommentRow(w, row, { comment_id, ...more });
    const rows = [
      known("i", { state: "imported", other_id: comment.uid }),
      known("p", { state: "published", other_id: comment.uid }),
      known("s", {}),
    ];
    await w.store.write(async ({ unfolded }) => await unfolded.putAll("external_comment", rows));
    const found = await read(async (b) => await b.knownComments(row.uid, ["i", "p", "s", "x"]));
    expect(Object.fromEntries(found)).toEqual({
      i: { row: rows[0], local: "text here" },
      p: { row: rows[1], local: undefined },
      s: { row: rows[2], local: undefined },
    });
    expect((await read(async (b) => await b.knownComments(row.uid, []))).size).toBe(0);
  });

  test("an instance has one active mapping of a field, and states of others are not shown", async () => {
    const { w, bind, read } = await given(open);
    const row = await bind();
    const [old, now] = [mappingRow(w, { active: 0 }), mappingRow(w)];
    const state = (mapping_uid: string) => ({
      binding_uid: row.uid,
      issue_uid: row.issue_uid,
      mapping_uid,
      baseline: { kind: "date", value: "2026-03-01" },
      conflicted: 1 as const,
      conflict_local: null,
      conflict_external: { kind: "null" },
      conflict_at: NOW,
      updated_at: NOW,
    });
    await w.store.write(async ({ unfolded }) => {
      for (const mapping of [old, now]) {
        await unfolded.put("external_field_mapping", mapping);
        await unfolded.put("external_field_state", state(mapping.uid));
      }
    });
    expect(await read(async (b) => await b.mappings("notes"))).toEqual([now]);
    expect(await read(async (b) => await b.mapping("notes", "deadline_on"))).toEqual(now);
    expect(await read(async (b) => await b.mapping("notes", "scheduled_on"))).toBeUndefined();
    const shown = [{ ...state(now.uid), svc_field: "deadline_on" }];
    expect(await read(async (b) => await b.fieldStates(row.uid))).toEqual(shown);
    expect(await read(async (b) => await b.fieldState(row.uid, old.uid))).toEqual(state(old.uid));
    const twin = mappingRow(w);
    const putTwin = w.store.write(
      async (tx) => await tx.unfolded.put("external_field_mapping", twin),
    );
    await expect(putTwin).rejects.toThrow(/unique/i);
  });

  test.each<readonly [string, Partial<BridgeRow>, boolean]>([
    ["its own token", { claim_token: "t" }, true],
    ["no token", {}, false],
    ["the token of another run", { claim_token: "u" }, false],
    ["its own token while paused", { claim_token: "t", enabled: 0 }, false],
    ["its own token after the end", { claim_token: "t", active: 0, enabled: 0 }, false],
  ])("a run goes on if the bridge has %s", async (_, more, goesOn) => {
    const { w, bind } = await given(open);
    const row = await bind(more);
    const claim = { binding_uid: row.uid, claim_token: "t" };
    const code = await w.store
      .write(async (tx) => (await tx.asExternalRoot(claim)).uid)
      .catch((error: SvcError) => error.code);
    expect(code).toBe(goesOn ? row.uid : "external_root_claim_lost");
  });

  test("a mapping cannot be changed while a run works on a bridge of its instance", async () => {
    const { bind, read } = await given(open);
    await bind({ claim_token: "t", claim_started_at: FRESH });
    const has = async (instance: string, afterMs: number) =>
      await read(
        async (b) => await b.hasClaim(instance, msToInstant(instantToMs(FRESH) + afterMs)),
      );
    expect(await has("notes", STALE_MS - 1)).toBe(true);
    expect(await has("notes", STALE_MS)).toBe(false);
    // The clock was set back.
    expect(await has("notes", 1 - STALE_MS)).toBe(true);
    expect(await has("notes", -STALE_MS)).toBe(false);
    expect(await has("other", 0)).toBe(false);
  });
});
