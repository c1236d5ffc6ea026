/**
 * Measures the store alone, in this process: reads at 2,000, 20,000 and 100,000 issues with three links each, and
 * durable creates by 1 and by 64 callers that wait for their answers.
 *
 *   npm run bench -- store [rounds] [postgres DSN]
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { systemClock } from "../src/base/clock.ts";
import { systemIds } from "../src/base/ids.ts";
import { createIssue } from "../src/ops/issues/create.ts";
import { openStore } from "../src/store/open.ts";
import type { SearchQuery } from "../src/store/types/issues.ts";
import type { StoredIssue } from "../src/store/types/rows.ts";
import type { Reader, Store } from "../src/store/types/store.ts";
import { median, ms, percentile, timed } from "./support/figures.ts";
import { seed } from "./support/seed.ts";

const ROUNDS = Number(process.argv[2] ?? 300);
const SERVER = process.argv[3];
const SIZES = [2_000, 20_000, 100_000] as const;
const WRITES = 4_000;

type Read = (reader: Reader, round: number) => Promise<unknown>;

const ids = systemIds();
const medians = new Map<string, number[]>();
for (const issues of SIZES) {
  const folder = mkdtempSync(path.join(tmpdir(), "svc-bench-store-"));
  const target = SERVER === undefined ? { dsn: path.join(folder, "svc.db") } : { dsn: SERVER };
  const seeding = await timed(async () => await seed(target.dsn, { issues, links: issues * 3 }));
  const store = await openStore({ ...target, clock: systemClock, ids, timezone: "UTC" });
  console.log(
    `\n${issues} issues, ${issues * 3} links (seeded in ${(seeding / 1000).toFixed(1)} s)`,
  );
  for (const [name, read] of await readsOf(store)) {
    const times = await timesOf(store, read);
    medians.set(name, [...(medians.get(name) ?? []), median(times)]);
    console.log(
      `  ${name.padEnd(36)} median ${ms(median(times)).padStart(9)}  p99 ${ms(percentile(times, 0.99)).padStart(9)}`,
    );
  }
  await measureWrites(store);
  await store.close();
  rmSync(folder, { recursive: true });
}
console.log("\nmedian at 100,000 / at 20,000 / at 2,000");
for (const [name, [small = 0, middle = 0, large = 0]] of medians) {
  console.log(
    `  ${name.padEnd(36)} 100k/20k ${(large / middle).toFixed(2)}x   20k/2k ${(middle / small).toFixed(2)}x`,
  );
}

async function readsOf(store: Store): Promise<readonly (readonly [string, Read])[]> {
  const { project_uid, some } = await store.read(async (reader) => {
    const [project] = (await reader.projects.list(false)).slice(-1);
    if (project === undefined) throw new Error("the seed makes a project");
    const found = await reader.issues.list({ project_uid: project.uid, limit: 200 }, "recent");
    return { project_uid: project.uid, some: found };
  });
  const filter = { project_uid, status: "open", limit: 50 } as const;
  const search = (text: string, query: Partial<SearchQuery> = {}): Read => {
    const rest = { limit: 20, include_deleted: false, labels: [], exclude_labels: [], ...query };
    return async (reader) => await reader.search.lexical({ project_uid, text, ...rest });
  };
  const issueAt = (round: number): StoredIssue => {
    const issue = some[round % some.length];
    if (issue === undefined) throw new Error("the seed makes issues");
    return issue;
  };
  return [
    ["find by uid", async (reader, round) => await reader.issues.find(issueAt(round).uid)],
    [
      "find by short id",
      async (reader, round) =>
        await reader.issues.findByShortId(project_uid, issueAt(round).short_id),
    ],
    ["list 50, rows alone", async (reader) => await reader.issues.list(filter, "recent")],
    [
      "list 50, labels and links",
      async (reader) => await readRelated(reader, await reader.issues.list(filter, "recent")),
    ],
    [
      "list 200, labels and links",
      async (reader) =>
        await readRelated(reader, await reader.issues.list({ ...filter, limit: 200 }, "recent")),
    ],
    [
      "list 50, a rare label",
      async (reader) => await reader.issues.list({ ...filter, labels: ["rare"] }, "recent"),
    ],
    [
      "list 50, a common label, not another",
      async (reader) =>
        await reader.issues.list(
          { ...filter, labels: ["bug"], exclude_labels: ["docs"] },
          "recent",
        ),
    ],
    [
      "list 50, an owner",
      async (reader) => await reader.issues.list({ ...filter, owner: "ann" }, "recent"),
    ],
    [
      "list 50, across projects",
      async (reader) => await reader.issues.list({ limit: 50 }, "created"),
    ],
    ["ready 50", async (reader) => await reader.issues.ready(filter, systemClock.now(), false)],
    [
      "ready 50, containers too",
      async (reader) => await reader.issues.ready(filter, systemClock.now(), true),
    ],
    ["children of a container", async (reader) => await reader.issues.children(some[0]?.uid ?? "")],
    ["search, a rare word", search("w64r7")],
    ["search, a word of every issue", search("common")],
    ["search, a rare and a common word", search("w64r7 common")],
    ["search, a word in no issue", search("nowhere")],
    [
      "look-alikes",
      async (reader, round) => await reader.search.similar(project_uid, issueAt(round), 20),
    ],
    ["events, a page of 100", async (reader) => await reader.events.after(500, 100)],
    ["counts of the project", async (reader) => await reader.projects.stats([project_uid])],
    ["labels with counts", async (reader) => await reader.labels.counts(project_uid)],
  ];
}

/** Reads what a list needs in addition to its rows: labels, links and the issues at their other ends. */
async function readRelated(reader: Reader, issues: readonly StoredIssue[]): Promise<unknown> {
  const uids = issues.map(({ uid }) => uid);
  const links = await reader.links.touching(uids);
  const ends = new Set(links.flatMap(({ from_uid, to_uid }) => [from_uid, to_uid]));
  return [await reader.labels.many(uids), await reader.issues.many([...ends])];
}

async function timesOf(store: Store, read: Read): Promise<number[]> {
  const times: number[] = [];
  for (let round = 0; round < ROUNDS + 10; round += 1) {
    const took = await timed(
      async () => await store.read(async (reader) => await read(reader, round)),
    );
    if (round >= 10) times.push(took);
  }
  return times;
}

/** Creates issues by calling the operation directly, without HTTP. */
async function measureWrites(store: Store): Promise<void> {
  const [project] = (await store.read(async (reader) => await reader.projects.list(false))).slice(
    -1,
  );
  const project_id = project?.id ?? 0;
  let made = 0;
  const create = async (force_new: boolean): Promise<void> => {
    made += 1;
    // Some words of this title are in many other titles and the rest are in none, as is usual for titles. The check for
    // similar issues compares a new title with existing titles that share words with it.
    const title = `Create common w${made % 50} ${ids.ulid()} ${ids.ulid()} ${ids.ulid()}`;
    const body = {
      title,
      body: "A body of some words, as one writes.",
      labels: ["bug"],
      actor: "ann",
      force_new,
    };
    await createIssue(
      { store, ids },
      { kind: "none", local: true },
      { params: { project_id }, headers: {}, query: {}, body },
    );
  };
  const rates: number[] = [];
  for (const [callers, forced] of [
    [1, true],
    [64, true],
    [64, false],
  ] as const) {
    const total = callers === 1 ? WRITES / 8 : WRITES;
    let left = total;
    const cpu = process.cpuUsage();
    const took = await timed(
      async () =>
        await Promise.all(
          Array.from({ length: callers }, async () => {
            while (left-- > 0) await create(forced);
          }),
        ),
    );
    const { user, system } = process.cpuUsage(cpu);
    rates.push((total / took) * 1000);
    const checked = forced ? "" : ", look-alikes checked";
    console.log(
      `  creates, ${String(callers).padStart(2)} waiting${checked.padEnd(23)} ${((total / took) * 1000).toFixed(0).padStart(6)} a second, CPU ${((user + system) / total).toFixed(0)} us each`,
    );
  }
  const [one = 1, many = 1] = rates;
  console.log(`  64 waiting / 1 waiting: ${(many / one).toFixed(1)}x`);
}
