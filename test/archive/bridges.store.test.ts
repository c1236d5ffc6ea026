import { join } from "node:path";
import { expect, test } from "vitest";
import { restoreFile } from "../../src/archive/restore.ts";
import type { BridgeRow, FieldState } from "../../src/store/types/bridges.ts";
import type { Store } from "../../src/store/types/store.ts";
import { bridged, created, log, projectCreated, T0, uid } from "../store/drafts.ts";
import { bridgeRow, externalCommentRow, mappingRow } from "../support/bridges.ts";
import { deps, exportTo, freshTarget, plain, scratch, withStore } from "./targets.ts";

const PROJECT = uid(1);
const given = { ids: { ulid: () => uid(50) }, clock: { now: () => T0 } } as never;
const row = (number: number, more: Partial<BridgeRow>): BridgeRow =>
  bridgeRow(given, uid(100 + number), { uid: uid(200 + number), ...more });

const CLAIM = { claim_token: uid(9), claim_started_at: T0 };
const ENABLED = row(1, { ...CLAIM, pending_comment_uid: uid(8), pending_comment_started_at: T0 });
const PAUSED = row(2, { enabled: 0, paused_reason: "holidays" });
const ENDED = row(3, { active: 0, enabled: 0, unbound_at: T0 });
const COMMENT = externalCommentRow(given, ENABLED, { revision: "1", external_updated_at: T0 });
const MAPPING = mappingRow(given);
const STATE: FieldState = {
  binding_uid: ENABLED.uid,
  issue_uid: ENABLED.issue_uid,
  mapping_uid: MAPPING.uid,
  baseline: { kind: "date", value: "2026-03-01" },
  conflicted: 1,
  conflict_local: { kind: "null" },
  conflict_external: { kind: "date", value: "2026-03-02" },
  conflict_at: T0,
  updated_at: T0,
};

async function bound(store: Store): Promise<void> {
  const bridges = [ENABLED, PAUSED, ENDED];
  await log(store, projectCreated(PROJECT, "web"));
  for (const { issue_uid, uid: binding_uid } of bridges)
    await log(
      store,
      created(PROJECT, issue_uid),
      bridged(PROJECT, issue_uid, "bound", binding_uid),
    );
  await log(store, bridged(PROJECT, ENDED.issue_uid, "unbound", ENDED.uid));
  await store.write(async ({ unfolded }) => {
    for (const bridge of bridges) await unfolded.put("external_root_binding", bridge);
    await unfolded.put("external_comment", COMMENT);
    await unfolded.put("external_field_mapping", MAPPING);
    await unfolded.put("external_field_state", STATE);
  });
}

async function rowsOf(store: Store) {
  return await store.read(async ({ unfolded, bridges }) => ({
    bridges: await unfolded.list("external_root_binding", 10),
    comments: await unfolded.list("external_comment", 10),
    mappings: await unfolded.list("external_field_mapping", 10),
    states: await unfolded.list("external_field_state", 10),
    roots: [await bridges.root(ENABLED.issue_uid), await bridges.root(ENDED.issue_uid)],
  }));
}

const KINDS = [
  "external_field_mapping",
  ...["external_root", "external_root"],
  ...["external_root_binding", "external_root_binding", "external_root_binding"],
  "external_comment",
  "external_field_state",
];
const NO_CLAIM = { claim_token: null, claim_started_at: null };
const RESTORED = [
  { ...ENABLED, ...NO_CLAIM, enabled: 0, paused_reason: "restore_reconfirmation_required" },
  PAUSED,
  ENDED,
];

test.each([
  ["sqlite", "postgres"],
  ["postgres", "sqlite"],
] as const)("bridges come back paused and unclaimed from an export: %s to %s", async (from, to) => {
  const folder = await scratch();
  const [source, restored] = [await freshTarget(from, folder), await freshTarget(to, folder)];
  await withStore(source, bound);
  const file = join(folder, "all.jsonl");
  const text = await exportTo(source, file);
  expect(text).not.toContain("claim_token");
  const kinds = [...text.matchAll(/^\{"kind":"(external_\w+)"/gm)].map(([, kind]) => kind);
  expect(kinds).toEqual(KINDS);
  await restoreFile(deps, { ...plain, file, target: restored });
  const root = { issue_uid: ENABLED.issue_uid, binding_uid: ENABLED.uid };
  await withStore(restored, async (store) => {
    expect(await rowsOf(store)).toEqual({
      bridges: RESTORED,
      comments: [COMMENT],
      mappings: [MAPPING],
      states: [STATE],
      roots: [{ ...root, connector_instance: "notes", enabled: 1 }, undefined],
    });
  });
});

test("a merge brings bridges paused, and the mapped fields as not active", async () => {
  const folder = await scratch();
  const [source, target] = [
    await freshTarget("sqlite", folder),
    await freshTarget("postgres", folder),
  ];
  await withStore(source, bound);
  const file = join(folder, "web.jsonl");
  await exportTo(source, file, { project: { name: "web" } });
  const own = { ...MAPPING, uid: uid(51) };
  await withStore(target, async (store) => {
    await store.write(async (tx) => await tx.unfolded.put("external_field_mapping", own));
  });
  await restoreFile(deps, { ...plain, file, target, merge: true });
  await withStore(target, async (store) => {
    expect(await rowsOf(store)).toMatchObject({
      bridges: RESTORED,
      mappings: [{ ...MAPPING, active: 0 }, own],
    });
  });
});
