import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { restoreFile } from "../../src/archive/restore.ts";
import type { Target } from "../../src/archive/target.ts";
import { verifyFile } from "../../src/archive/verify.ts";
import { canonicalJson, type JsonObject } from "../../src/base/json.ts";
import type { EventDraft } from "../../src/contract/events.ts";
import { contentHash } from "../../src/store/log/content-hash.ts";
import { created, deleted, linksChanged, T0, uid } from "../store/drafts.ts";
import { admitAs, asHub, BEGIN_MS, ForeignEvents } from "../store/foreign-events.ts";
import { P } from "../store/random-events.ts";
import { deps, digestAnew, exportTo, freshTarget, plain, scratch, withStore } from "./targets.ts";

const [A, B, D] = [uid(11), uid(12), uid(13)];
const DIALECTS = ["sqlite", "postgres"] as const;

const RENAMED: EventDraft = {
  ...{ type: "project.metadata_updated", actor: "ann", project_uid: P },
  payload: { diff: { color: { to: "red" } }, revision_new: 1, updated_at: T0 },
};

/** Makes a hub of the events, which arrive in this order. */
async function hubOf(
  target: Target,
  ...events: readonly (readonly [draft: EventDraft, ms: number])[]
): Promise<void> {
  const made = new ForeignEvents();
  await withStore(target, async (store) => {
    await asHub(store);
    for (const [draft, ms] of events) {
      const event = made.next(draft, { hlc_physical_ms: BEGIN_MS + ms });
      await admitAs(store, { fromHub: false }, event);
    }
  });
}

/** The export without the field `diff` of payloads, and with the hashes that fit. */
async function withoutDiff(text: string): Promise<string> {
  const lines = text.split("\n").map((line) => {
    if (!line.includes('"type":"project.metadata_updated"')) return line.replace(CHAIN, "");
    const { kind, data } = JSON.parse(line) as { readonly kind: string; readonly data: JsonObject };
    const { chain: _, ...record } = data;
    const { diff: __, ...payload } = record["payload"] as JsonObject;
    const event = { ...record, project_uid: P } as never;
    const content_hash = contentHash(event, canonicalJson(payload));
    return JSON.stringify({ kind, data: { ...record, payload, content_hash } });
  });
  return await digestAnew(lines.join("\n"));
}

const CHAIN = /,"chain":"[0-9a-f]*"/;

test.each(
  DIALECTS.flatMap((dialect) => [[dialect, "in order"] as const, [dialect, "late"] as const]),
)("a payload that lacks a field is named as damage of the file: %s, %s", async (dialect, when) => {
  const folder = await scratch();
  const target = await freshTarget(dialect, folder);
  const before = [created(P, A), when === "late" ? 9 : 1] as const;
  await hubOf(target, before, [created(P, B), 2], [RENAMED, 3]);
  const file = join(folder, "all.jsonl");
  const text = await exportTo(target, file);
  await expect(verifyFile(file)).resolves.toMatchObject({ digest: true });
  await writeFile(file, await withoutDiff(text));
  await expect(verifyFile(file)).rejects.toMatchObject({
    code: "validation",
    message: expect.stringContaining("its payload lacks what a project.metadata_updated has"),
  });
});

test.each(DIALECTS)(
  "an export without deleted issues is sound if a deleted issue was part of a circle of parents: %s",
  async (dialect) => {
    const folder = await scratch();
    const target = await freshTarget(dialect, folder);
    await hubOf(
      target,
      ...[A, B, D].map((issue) => [created(P, issue), 1] as const),
      [linksChanged(P, B, { parent_set_uid: D }), 2],
      [linksChanged(P, D, { parent_set_uid: A }), 3],
      [linksChanged(P, A, { parent_set_uid: B }), 4],
      [deleted(P, D), 5],
    );
    const file = join(folder, "live.jsonl");
    await exportTo(target, file, { includeDeleted: false });
    await expect(verifyFile(file)).resolves.toMatchObject({ digest: true });
    const restored = await freshTarget(dialect, folder);
    await restoreFile(deps, { ...plain, file, target: restored });
    const parent = await withStore(restored, async (store) =>
      store.read(async ({ links }) => await links.parentOf(A)),
    );
    expect(parent?.to_uid).toBe(B);
  },
);
