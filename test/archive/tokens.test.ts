import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { restoreFile } from "../../src/archive/restore.ts";
import type { Target } from "../../src/archive/target.ts";
import { tokenCreated, tokenRevoked } from "../../src/domain/drafts/tokens.ts";
import { SYSTEM_PROJECT_UID } from "../../src/domain/tokens.ts";
import { TokenUses } from "../../src/ops/tokens/uses.ts";
import type { Tx } from "../../src/store/types/store.ts";
import { projectCreated, uid } from "../store/drafts.ts";
import {
  type Dialect,
  deps,
  digestAnew,
  examine,
  exportTo,
  freshTarget,
  plain,
  scratch,
  withStore,
} from "./targets.ts";

const act = { actor: "bootstrap", now: "2026-01-01T00:00:00.000Z" };
const ANN = {
  uid: uid(7),
  actor: "ann",
  name: "laptop",
  token_hash: "a".repeat(64),
  mark: { key: "k", fingerprint: "f" },
};
/** No new token may have this name, but older versions accepted it. */
const BEA = { uid: uid(8), actor: "be\u202ea", name: null, token_hash: "b".repeat(64) };

/** Makes a database with a project, an active token that was used, and a revoked token. */
async function filled(dialect: Dialect, folder: string): Promise<Target> {
  const target = await freshTarget(dialect, folder);
  await withStore(target, async (store) => {
    await store.write(async (tx) => {
      await tx.append(projectCreated(uid(1), "web"));
      for (const token of [ANN, BEA]) await tx.append(tokenCreated(token, act));
      const row = { ...BEA, created_at: act.now, revoked_at: null };
      await tx.append(tokenRevoked(row, act));
    });
    const uses = new TokenUses(deps.clock);
    uses.note(ANN.uid);
    await uses.write(store);
  });
  return target;
}

async function tokensOf(target: Target) {
  return await withStore(
    target,
    async (store) => await store.read(async ({ tokens }) => await tokens.list()),
  );
}

describe("API tokens in an export", () => {
  test.each<[Dialect, Dialect]>([
    ["sqlite", "postgres"],
    ["postgres", "sqlite"],
  ])("are restored with their events and last uses, from %s to %s", async (from, to) => {
    const folder = await scratch();
    const source = await filled(from, folder);
    const file = join(folder, "one.jsonl");
    const first = await exportTo(source, file);
    const target = await freshTarget(to, folder);
    await restoreFile(deps, { ...plain, file, target });
    expect(await tokensOf(target)).toEqual(await tokensOf(source));
    expect(await tokensOf(target)).toMatchObject([
      { id: 1, actor: "ann", last_used_at: expect.any(String), revoked_at: null },
      { id: 2, actor: BEA.actor, last_used_at: null, revoked_at: act.now },
    ]);
    expect(await exportTo(target, join(folder, "two.jsonl"))).toBe(first);
    expect(await examine(target)).toMatchObject({
      events: 4,
      integrity: [],
      changedEvents: [],
      brokenChain: [],
    });
    expect((await examine(target)).fold).toBeUndefined();
  });

  test("are in no export of one project, and are left out when a file is merged", async () => {
    const folder = await scratch();
    const source = await filled("sqlite", folder);
    const one = await exportTo(source, join(folder, "one.jsonl"), { project: { name: "web" } });
    expect(one).not.toMatch(/token|aaaa|bbbb/);
    const file = join(folder, "all.jsonl");
    await exportTo(source, file);
    const target = await freshTarget("sqlite", folder);
    await restoreFile(deps, { ...plain, file, target, merge: true });
    expect(await tokensOf(target)).toEqual([]);
    const mark = async (tx: Tx) =>
      await tx.marks.findIdempotency(SYSTEM_PROJECT_UID, "create", "k");
    const marks = async (of: Target) =>
      await withStore(of, async (store) => await store.write(mark));
    expect(await marks(source)).toBeDefined();
    expect(await marks(target)).toBeUndefined();
    expect(await examine(target)).toMatchObject({ events: 1, integrity: [] });
    expect((await examine(target)).fold).toBeUndefined();
  });

  test("are refused if an event about a token names a project, whose readers would see the token", async () => {
    const folder = await scratch();
    const text = await exportTo(await filled("sqlite", folder), join(folder, "one.jsonl"));
    const file = join(folder, "shown.jsonl");
    const shown = text.replace(/"project_uid":"0+SYSTEM"/, '"project_id":1');
    await writeFile(file, await digestAnew(shown));
    const target = await freshTarget("sqlite", folder);
    await expect(restoreFile(deps, { ...plain, file, target })).rejects.toThrow(
      /line \d+: event: project_uid is missing/,
    );
  });

  test.each<[string, (text: string) => string, RegExp]>([
    [
      "a project has the uid of the system project",
      (text) => text.replaceAll(uid(1), SYSTEM_PROJECT_UID),
      /line 3: project: uid is the uid of the hidden system project.*nothing was written/,
    ],
    [
      "an event of a project names the system project",
      (text) =>
        text.replace('"project_id":1,', `"project_id":1,"project_uid":"${SYSTEM_PROJECT_UID}",`),
      /event: project_uid is the uid of the hidden/,
    ],
    [
      "an event about a token names an issue",
      (text) => text.replace(/("project_uid":"0+SYSTEM")/, `$1,"issue_uid":"${uid(3)}"`),
      /line \d+: event: issue_uid is no field of an event of a token/,
    ],
  ])("are refused if %s", async (_what, change, says) => {
    const folder = await scratch();
    const text = await exportTo(await filled("sqlite", folder), join(folder, "one.jsonl"));
    const file = join(folder, "changed.jsonl");
    const changed = change(text);
    expect(changed).not.toBe(text);
    await writeFile(file, await digestAnew(changed));
    for (const merge of [false, true]) {
      const target = await freshTarget("sqlite", folder);
      await expect(restoreFile(deps, { ...plain, file, target, merge })).rejects.toThrow(says);
    }
  });
});
