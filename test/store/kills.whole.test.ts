import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  copyFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { expect, onTestFinished, test } from "vitest";
import type { Target } from "../../src/archive/target.ts";
import { systemClock } from "../../src/base/clock.ts";
import { systemIds } from "../../src/base/ids.ts";
import { openStore } from "../../src/store/open.ts";
import { postgresState } from "../../src/store/postgres/upgrade.ts";
import { examine, exportTo } from "../archive/targets.ts";
import { KILL_ROUNDS as ROUNDS } from "../support/kill-count.ts";
import { postgresDsn, query } from "../support/postgres.ts";
import { log, projectCreated, uid } from "./drafts.ts";
import { RELEASED } from "./upgrade/plant-migration.ts";
import { fixtureSql } from "./upgrade/postgres-fixture.ts";

const PROCESS = join(import.meta.dirname, "../support/storage-process.ts");
const deps = { clock: systemClock, ids: systemIds(), timezone: "UTC" };

function scratch(): string {
  const folder = mkdtempSync(join(tmpdir(), "svc-kills-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** The bytes of a database that the newest release wrote. */
function fixture(): Buffer {
  return gunzipSync(readFileSync(join(import.meta.dirname, `fixtures/schema-${RELEASED}.db.gz`)));
}

/** The moment of a round, in milliseconds; the moments of all rounds are spread evenly over `ms`. */
const at = (round: number, ms: number): number => (round * ms) / ROUNDS;

/** Runs the process, and kills it this many milliseconds after it began to work. */
async function killed(afterMs: number, ...words: string[]): Promise<void> {
  const child = spawn(process.execPath, [PROCESS, ...words], {
    stdio: ["ignore", "pipe", "ignore"],
  });
  const ended = once(child, "exit");
  await Promise.race([once(child.stdout, "data"), ended]);
  await Promise.race([systemClock.sleep(afterMs), ended]);
  child.kill("SIGKILL");
  await ended;
}

test(`kill -9 in ${ROUNDS} upgrades loses nothing, and the next start works`, async () => {
  const folder = scratch();
  const whole: Target = { dialect: "sqlite", dsn: join(folder, "whole.db") };
  writeFileSync(whole.dsn, fixture());
  await (await openStore({ ...deps, dsn: whole.dsn })).close();
  const expected = await exportTo(whole, join(folder, "expected.jsonl"));
  for (let round = 0; round < ROUNDS; round += 1) {
    const target: Target = { dialect: "sqlite", dsn: join(folder, `${round}.db`) };
    writeFileSync(target.dsn, fixture());
    await killed(at(round, 120), target.dsn);
    await (await openStore({ ...deps, dsn: target.dsn })).close();
    expect(await exportTo(target, join(folder, "after.jsonl")), `round ${round}`).toBe(expected);
    const names = readdirSync(folder).filter((name) =>
      name.startsWith(`${round}.db.before-schema`),
    );
    expect(names, `round ${round}`).toHaveLength(1);
  }
}, 600_000);

test(`kill -9 in ${ROUNDS} restores leaves the old database or the new one, whole`, async () => {
  const folder = scratch();
  const older = join(folder, "older.db");
  const newer = join(folder, "newer.db");
  const texts: string[] = [];
  for (const dsn of [older, newer]) {
    writeFileSync(dsn, fixture());
    const store = await openStore({ ...deps, dsn });
    if (dsn === newer) await log(store, projectCreated(uid(1), "next"));
    await store.close();
    texts.push(await exportTo({ dialect: "sqlite", dsn }, `${dsn}.jsonl`));
  }
  const seen = new Set<string>();
  for (let round = 0; round < ROUNDS; round += 1) {
    const target: Target = { dialect: "sqlite", dsn: join(folder, `${round}.db`) };
    copyFileSync(older, target.dsn);
    await killed(at(round, 360), target.dsn, `${newer}.jsonl`);
    expect(existsSync(target.dsn), `round ${round}`).toBe(true);
    const text = await exportTo(target, join(folder, "after.jsonl"));
    expect(texts, `round ${round}`).toContain(text);
    expect(await examine(target)).toMatchObject({
      integrity: [],
      changedEvents: [],
      brokenChain: [],
    });
    seen.add(text);
  }
  expect(seen.size).toBeGreaterThan(0);
}, 600_000);

test(`kill -9 in ${ROUNDS} upgrades on PostgreSQL loses nothing, and there is one copy`, async () => {
  const folder = scratch();
  const dsn = await postgresDsn();
  const target: Target = { dialect: "postgres", dsn, schema: "svc" };
  const state = async () => await postgresState({ dsn, schema: "svc" });
  let expected: string | undefined;
  for (let round = -1; round < ROUNDS; round += 1) {
    await query(dsn, EMPTIED, fixtureSql(RELEASED));
    if (round >= 0) await killed(at(round, 480), dsn);
    const { tables, copies } = await state();
    expect(copies, `round ${round}`).toHaveLength(tables === "older" ? 0 : 1);
    await (await openStore({ ...deps, dsn })).close();
    expect((await state()).copies, `round ${round}`).toHaveLength(1);
    const after = await exportTo(target, join(folder, "after.jsonl"));
    // The first round is not killed.
    expect(after, `round ${round}`).toBe((expected ??= after));
  }
}, 600_000);

const EMPTIED = `do $$ declare name text; begin
  for name in select nspname from pg_namespace where nspname ~ '^svc' loop
    execute format('drop schema %I cascade', name);
  end loop;
end $$`;
