import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { restoreFile } from "../../src/archive/restore.ts";
import type { Target } from "../../src/archive/target.ts";
import { verifyFile } from "../../src/archive/verify.ts";
import { canonicalJson, type JsonValue, parseJson } from "../../src/base/json.ts";
import { SvcError } from "../../src/contract/errors.ts";
import { RandomRun } from "../support/random-run.ts";
import { step } from "../support/random-steps.ts";
import { type OpenTestStore, sqliteDatabase } from "../support/store.ts";
import { world } from "../support/world.ts";
import { deps, digestAnew, examine, exportTo, plain, scratch } from "./targets.ts";

/** `SVC_MUTATIONS_SEED=<seed>` repeats a run. A failure names its mutation. */
const SEED = Number(process.env["SVC_MUTATIONS_SEED"] ?? 20_261_122);
const MUTATIONS = Number(process.env["SVC_MUTATIONS"] ?? 1000);
const STEPS = 120;

/** The changes that may happen to a file: on its way to and from a disk, or by a person who edits it. */
const mutation = fc.oneof(
  fc.record({ what: fc.constant("flip a bit" as const), at: fc.nat(), bit: fc.nat({ max: 7 }) }),
  fc.record({ what: fc.constant("cut at a line's end" as const), at: fc.nat() }),
  fc.record({ what: fc.constant("cut anywhere" as const), at: fc.nat() }),
  fc.record({ what: fc.constant("leave a line out" as const), at: fc.nat() }),
  fc.record({ what: fc.constant("double a line" as const), at: fc.nat() }),
  fc.record({ what: fc.constant("swap two lines" as const), at: fc.nat(), other: fc.nat() }),
);
type Mutation = typeof mutation extends fc.Arbitrary<infer T> ? T : never;

function mutated(whole: Buffer, change: Mutation): Buffer {
  const lines = whole.toString("latin1").split(/(?<=\n)/);
  const at = change.at % lines.length;
  const bytes = (parts: readonly string[]): Buffer => Buffer.from(parts.join(""), "latin1");
  switch (change.what) {
    case "flip a bit": {
      const flipped = Buffer.from(whole);
      const place = change.at % whole.length;
      flipped[place] = (whole[place] ?? 0) ^ (1 << change.bit);
      return flipped;
    }
    case "cut at a line's end":
      return bytes(lines.slice(0, at));
    case "cut anywhere":
      return whole.subarray(0, change.at % whole.length);
    case "leave a line out":
      return bytes(lines.toSpliced(at, 1));
    case "double a line":
      return bytes(lines.toSpliced(at, 0, lines[at] ?? ""));
    case "swap two lines": {
      const other = change.other % lines.length;
      return bytes(lines.with(at, lines[other] ?? "").with(other, lines[at] ?? ""));
    }
  }
}

/** Makes an export with everything that random steps can leave: moves, merges, purges, leases, jobs, series. */
async function rich(folder: string): Promise<{ readonly source: Target; readonly text: string }> {
  const { target } = await made();
  const source: Target = { dialect: "sqlite", dsn: target.dsn };
  return { source, text: await exportTo(source, join(folder, "source.jsonl")) };
}

async function made() {
  const database = await sqliteDatabase();
  const open = Object.assign(async (options = {}) => await database.open(options), {
    database: async () => database,
    dialect: "sqlite" as const,
  }) satisfies OpenTestStore;
  const w = await world({ store: open });
  const run = await RandomRun.begin(w);
  await run.steps(fc.sample(step, { seed: SEED, numRuns: STEPS }));
  return database;
}

/**
 * Returns the lines that the log can prove: all but local numbers, the identity of the database, and the records that
 * are kept of purges.
 */
function provableLines(text: string): readonly string[] {
  return text
    .split("\n")
    .filter((line) => line !== "" && !/^\{"kind":"(meta|digest|\w*purge_log)"/.test(line))
    .map((line) => {
      const record = parseJson(line) as { kind: string; data: Readonly<Record<string, JsonValue>> };
      const kept = Object.entries(record.data).filter(
        ([name]) => !/^(id|\w+_id|project_name)$/.test(name) || name === "external_id",
      );
      return canonicalJson({ kind: record.kind, data: Object.fromEntries(kept) });
    });
}

async function refusal(path: string): Promise<SvcError | undefined> {
  try {
    await verifyFile(path);
    return undefined;
  } catch (error) {
    if (error instanceof SvcError) return error;
    throw error;
  }
}

describe(`${MUTATIONS} random mutations of an export (seed ${SEED})`, () => {
  test("mutated exports are refused with an error that names the file, or change nothing", async () => {
    const folder = await scratch();
    const { text } = await rich(folder);
    const whole = Buffer.from(text);
    const path = join(folder, "mutated.jsonl");
    const taken: string[] = [];
    for (const [n, change] of fc.sample(mutation, { seed: SEED, numRuns: MUTATIONS }).entries()) {
      const bytes = mutated(whole, change);
      await writeFile(path, bytes);
      const refused = await refusal(path);
      if (refused !== undefined) {
        expect(refused, JSON.stringify(change)).toMatchObject({
          code: "validation",
          message: expect.stringMatching(/^\S+mutated\.jsonl is damaged: ./),
        });
        continue;
      }
      taken.push(change.what);
      if (bytes.equals(whole)) continue;
      const target: Target = { dialect: "sqlite", dsn: join(folder, `${n}.db`) };
      await restoreFile(deps, { ...plain, file: path, target });
      expect(await exportTo(target, join(folder, "again.jsonl")), JSON.stringify(change)).toBe(
        text,
      );
    }
    expect(taken.length).toBeLessThan(MUTATIONS / 10);
  }, 240_000);

  test("mutated exports with a recomputed digest are refused, or restore the same rows and no event that the source lacks", async () => {
    const folder = await scratch();
    const { text } = await rich(folder);
    const lines = text.trimEnd().split("\n").slice(0, -1);
    const whole = Buffer.from(`${lines.join("\n")}\n`);
    const expected = new Set(provableLines(text));
    const path = join(folder, "mutated.jsonl");
    let taken = 0;
    for (const [n, change] of fc
      .sample(mutation, { seed: SEED + 1, numRuns: MUTATIONS })
      .entries()) {
      const changed = mutated(whole, change).toString("utf8");
      // A file without projects equals the export of an empty tracker, so it proves nothing.
      if (!changed.includes('{"kind":"project",')) continue;
      await writeFile(path, await digestAnew(changed));
      if ((await refusal(path)) !== undefined) continue;
      taken += 1;
      const target: Target = { dialect: "sqlite", dsn: join(folder, `${n}.db`) };
      await restoreFile(deps, { ...plain, file: path, target });
      const again = await exportTo(target, join(folder, "again.jsonl"));
      const found = new Set(provableLines(again));
      const invented = [...found].filter((line) => !expected.has(line));
      // An event whose effect was replaced by later events may be missing, because a purge leaves exactly such a log.
      const lost = [...expected].filter(
        (line) => !found.has(line) && !line.endsWith('"kind":"event"}'),
      );
      expect({ invented, lost }, JSON.stringify(change)).toEqual({ invented: [], lost: [] });
      expect(await examine(target)).toMatchObject({
        integrity: [],
        changedEvents: [],
        brokenChain: [],
      });
    }
    expect(taken).toBeLessThan(MUTATIONS / 2);
  }, 240_000);
});

describe("the export of each project alone", () => {
  test("is sound and can be restored into an empty database", async () => {
    const folder = await scratch();
    const { source } = await rich(folder);
    const file = join(folder, "one.jsonl");
    const projects = (await readFile(join(folder, "source.jsonl"), "utf8"))
      .split("\n")
      .flatMap((line) => /^\{"kind":"project","data":\{"id":(\d+)/.exec(line)?.[1] ?? []);
    expect(projects.length).toBeGreaterThan(1);
    for (const id of projects) {
      for (const includeDeleted of [true, false]) {
        const options = { project: { id: Number(id) }, includeDeleted };
        const written = await exportTo(source, file, options).catch((error: unknown) => error);
        if (written instanceof SvcError) continue;
        await verifyFile(file);
        const target: Target = {
          dialect: "sqlite",
          dsn: join(folder, `${id}${includeDeleted}.db`),
        };
        await restoreFile(deps, { ...plain, file, target, merge: true });
        expect(await examine(target)).not.toHaveProperty("fold");
      }
    }
    await exportTo(source, file, { includeDeleted: false });
    await verifyFile(file);
  }, 60_000);
});
