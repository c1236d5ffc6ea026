import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import Database from "better-sqlite3";
import { describe, expect, test } from "vitest";
import { createCronJob } from "../../src/contract/cron-jobs.ts";
import { observeCronRun } from "../../src/contract/cron-runs.ts";
import { importIssues } from "../../src/contract/imports.ts";
import { notifyIssue } from "../../src/contract/inbox.ts";
import { editIssue } from "../../src/contract/issues.ts";
import { addLabel, removeLabel } from "../../src/contract/labels.ts";
import { acquireIssueLease, forceReleaseIssueLease } from "../../src/contract/leases.ts";
import {
  patchProjectMetadata,
  purgeProject,
  removeProject,
} from "../../src/contract/project-actions.ts";
import { createRecurrence } from "../../src/contract/recurrences.ts";
import { purgeIssue } from "../../src/contract/removal.ts";
import { but, X } from "../domain/cron/bases.ts";
import { expectFolded } from "../store/fold.ts";
import { describeStore, sqliteDatabase, type TestDatabase } from "../support/store.ts";
import { type World, world } from "../support/world.ts";

type GivenIssue = Awaited<ReturnType<World["given"]["issue"]>>;

/** Returns everything in the files of a database, in lower case as the full-text index has it. */
function bytesOf({ target }: TestDatabase): string {
  const folder = dirname(target.dsn);
  return readdirSync(folder)
    .map((name) => readFileSync(join(folder, name), "latin1"))
    .join("\n")
    .toLowerCase();
}

/** Makes a new word for each named place, and remembers it. */
function secrets() {
  const all = new Map<string, string>();
  return {
    all,
    of: (place: string): string => {
      const word = `zqw${all.size}x${(all.size * 7919 + 104_729).toString(36)}k`;
      all.set(word, place);
      return word;
    },
    found: (bytes: string): readonly string[] =>
      [...all].flatMap(([word, place]) =>
        bytes.includes(word) || bytes.includes(base64(word)) ? [place] : [],
      ),
  };
}

/** The key of a request contains its address in base64. */
function base64(word: string): string {
  return Buffer.from(word).toString("base64url").toLowerCase();
}

type Secrets = ReturnType<typeof secrets>;

/** Fills every text field of an issue, most of them more than once. */
async function filled(
  w: World,
  project: { readonly id: number },
  { of }: Secrets,
): Promise<GivenIssue> {
  const other = await w.given.issue({ project, title: "it stays" });
  const issue = await w.given.issue({
    project,
    title: "kept by the record",
    body: `${of("body")} `.repeat(700),
    labels: [of("label")],
    metadata: { [of("metadata key")]: of("metadata value"), long: of("long metadata").repeat(600) },
    owner: of("owner"),
  });
  const edits = [of("title"), of("title again"), "kept by the record"];
  for (const title of edits) {
    const body = { title, body: `${of("edited body")} `.repeat(1 + title.length * 9) };
    await w.call(editIssue, { params: issue.path, body });
  }
  const label = of("label that was removed");
  await w.call(addLabel, { params: issue.path, body: { label } });
  await w.call(removeLabel, { params: { ...issue.path, label } });
  for (let n = 0; n < 6; n++)
    await w.given.comment({
      on: issue,
      author: of("comment author"),
      body: `${of("comment")} k7 `,
    });
  await w.given.link(issue, "blocks", other);
  await w.call(acquireIssueLease, {
    params: issue.path,
    body: { holder: of("holder"), purpose: of("purpose"), claim_kind: "hard" },
  });
  await w.call(forceReleaseIssueLease, { params: issue.path, body: { reason: of("reason") } });
  const message = of("request");
  await w.call(notifyIssue, { params: issue.path, body: { to: of("address"), message } });
  return issue;
}

async function purge(w: World, issue: GivenIssue) {
  const headers = { "x-svc-confirm": `PURGE ${issue.qualified_id}` };
  return await w.call(purgeIssue, { params: issue.path, headers, body: {} });
}

/**
 * Writes texts into a page and deletes them, as a program does that does not overwrite what it deletes. The same
 * remains where SQLite splits a page: its older copies are in no row any more.
 */
function deleteCarelessly({ target }: TestDatabase, { of }: Secrets): void {
  const file = new Database(target.dsn);
  file.pragma("secure_delete = OFF");
  const put = file.prepare("insert into meta (key, value) values (?, ?)");
  for (const size of [200, 900, 20_000])
    put.run(`careless-${size}`, of(`${size}`).padEnd(size, "."));
  file.exec("delete from meta where key like 'careless-%'");
  file.pragma("wal_checkpoint(TRUNCATE)");
  file.close();
}

describe("after a purge, the files of a SQLite database", () => {
  test("the files contain no text of a purged issue, while the daemon runs and after it stopped", async () => {
    const database = await sqliteDatabase();
    const w = await world({ store: database.open });
    const project = await w.given.project();
    const words = secrets();
    const issue = await filled(w, project, words);
    for (let n = 0; n < 60; n++)
      await w.given.issue({ project, title: `other ${n}`, body: "b".repeat(n * 90) });
    expect(words.found(bytesOf(database))).toHaveLength(words.all.size);
    const { erased, purge_log } = await purge(w, issue);
    expect(erased).toBe(true);
    expect(purge_log.issue_title).toBe("kept by the record");
    expect(words.found(bytesOf(database))).toEqual([]);
    await w.given.issue({ project, title: "a later write" });
    await expectFolded(w.store);
    expect(words.found(bytesOf(database))).toEqual([]);
    await w.store.close();
    expect(words.found(bytesOf(database))).toEqual([]);
  });

  test("the files contain no text of a purged project, its jobs, runs, series and import marks", async () => {
    const database = await sqliteDatabase();
    const w = await world({ store: database.open });
    const words = secrets();
    const { of } = words;
    const project = await w.given.project("doomed");
    const params = project.path;
    const issue = await filled(w, project, words);
    const patch = { [of("project metadata key")]: of("project metadata") };
    await w.call(patchProjectMetadata, { params, body: { patch } });
    const definition = but(X, {
      issue: { kind: "existing", uid: issue.uid },
      action: { kind: "execute", prompt: of("prompt") },
    });
    const body = { name: of("job name"), definition: definition as never };
    const { job } = await w.call(createCronJob, { params, body });
    await w.call(observeCronRun, {
      params: { ...params, run_uid: "01K4M0000000000000000000R1" },
      body: {
        job_uid: job.uid,
        definition_event_uid: job.definition_event_uid,
        status: "succeeded",
        summary: { version: 1, message: of("summary") },
        executor_label: of("executor"),
        occurrence_key: of("occurrence key"),
        expected_revision: 0,
      },
    });
    await w.call(createRecurrence, {
      params,
      body: {
        rrule: "FREQ=WEEKLY",
        dtstart: "2026-01-05",
        timezone: "UTC",
        template: {
          title: of("series title"),
          body: of("series body"),
          labels: [of("series label")],
        },
      },
    });
    await w.call(importIssues, {
      params,
      body: {
        source: of("import source"),
        items: [
          {
            external_id: of("external id"),
            title: of("imported title"),
            author: of("imported author"),
            status: "open",
            created_at: "2025-05-01T10:00:00Z",
            updated_at: "2025-05-01T10:00:00Z",
          },
        ],
      },
    });
    await w.call(removeProject, { params, query: { force: true }, body: {} });
    expect(words.found(bytesOf(database))).toHaveLength(words.all.size);
    const headers = { "x-svc-confirm": "PURGE doomed" };
    expect((await w.call(purgeProject, { params, headers, body: {} })).erased).toBe(true);
    expect(words.found(bytesOf(database))).toEqual([]);
    await w.store.close();
    expect(words.found(bytesOf(database))).toEqual([]);
  });

  test("the files contain no text that was deleted earlier but had not been overwritten", async () => {
    const database = await sqliteDatabase();
    const words = secrets();
    deleteCarelessly(database, words);
    expect(words.found(bytesOf(database))).toHaveLength(words.all.size);
    const w = await world({ store: database.open });
    expect((await purge(w, await w.given.issue())).erased).toBe(true);
    await w.store.close();
    expect(words.found(bytesOf(database))).toEqual([]);
  });

  test("the files lose the purged text later if a reader keeps the write-ahead log in use, and the purge's answer says so", async () => {
    const database = await sqliteDatabase();
    const w = await world({ store: database.open });
    const words = secrets();
    const issue = await filled(w, await w.given.project(), words);
    const reader = await w.store.openSnapshot();
    let isAnswered = false;
    const answer = purge(w, issue).finally(() => {
      isAnswered = true;
    });
    await expect
      .poll(
        () => {
          w.clock.advance(100);
          return isAnswered;
        },
        { timeout: 30_000 },
      )
      .toBe(true);
    const { erased, erasure } = await answer;
    expect(erased).toBe(false);
    expect(erasure).toContain("something reads an older state");
    expect(words.found(bytesOf(database))).not.toEqual([]);
    await reader.close();
    expect(await w.store.erase()).toBe("erased");
    expect(words.found(bytesOf(database))).toEqual([]);
  });

  test("the files lose the purged text after the next start if the daemon stopped before it erased the text", async () => {
    const database = await sqliteDatabase();
    const w = await world({ store: database.open });
    const words = secrets();
    const issue = await filled(w, await w.given.project(), words);
    await w.store.write(async (tx) => {
      const stored = await tx.issues.find(issue.uid);
      if (stored !== undefined) await tx.purgeIssue(stored, { actor: "ann", reason: null });
    });
    await w.store.close();
    expect(words.found(bytesOf(database))).not.toEqual([]);
    const store = await database.open();
    expect(await store.erase()).toBe("erased");
    expect(words.found(bytesOf(database))).toEqual([]);
  });
});

describeStore("the answer to a purge", (open) => {
  test("the answer to a purge says whether the bytes have been erased too", async () => {
    const w = await world({ store: open });
    const { erased, erasure } = await purge(w, await w.given.issue());
    expect(erased).toBe(open.dialect === "sqlite");
    if (open.dialect === "postgres") expect(erasure).toContain("VACUUM FULL");
    else expect(erasure).toBeUndefined();
  });
});
