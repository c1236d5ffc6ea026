import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import fc from "fast-check";
import { expect, onTestFinished, test, vi } from "vitest";
import { systemClock } from "../../src/base/clock.ts";
import { systemIds } from "../../src/base/ids.ts";
import { Credentials, credentialsPath } from "../../src/config/credentials.ts";
import { openStore } from "../../src/store/open.ts";
import { created, projectCreated, uid } from "../store/drafts.ts";
import { freePort } from "../support/free-port.ts";
import { bindingTo } from "../support/replica.ts";
import { type Box, box } from "./box.ts";

const ISSUES = 6000;
const SEED = Number(process.env["SVC_TEST_SEED"] ?? fc.sample(fc.nat(), 1)[0]);
/** How many events the copy has when its daemon is killed. */
const MOMENTS = fc
  .sample(fc.integer({ min: 0, max: Math.floor(ISSUES * 0.8) }), { numRuns: 5, seed: SEED })
  .toSorted((left, right) => left - right);

const [WEB, INTERVAL] = [uid(1), { SVC_FEDERATION_PULL_INTERVAL_MS: "300" }];

async function storeOf({ home }: Box) {
  const dsn = join(home, "svc.db");
  return await openStore({ dsn, clock: systemClock, ids: systemIds(), timezone: "UTC" });
}

/** A hub with a project of many issues, and a box that is bound to it and has read nothing. */
async function hubAndCopy() {
  const [hub, copy] = [box(), box(INTERVAL)];
  for (const { home } of [hub, copy]) mkdirSync(home, { mode: 0o700 });
  const port = await freePort();
  const listen = `listen = ["unix://${hub.folder}/hub.sock", "127.0.0.1:${port}"]\n`;
  writeFileSync(join(hub.home, "config.toml"), listen, { mode: 0o600 });
  const store = await storeOf(hub);
  await store.write(async (tx) => await tx.append(projectCreated(WEB, "web")));
  const issues = Array.from({ length: ISSUES }, (_, n) => created(WEB, uid(n + 100)));
  await store.write(async (tx) => await tx.appendNewIssues(issues));
  await store.close();
  const own = await storeOf(copy);
  const spoke_instance_uid = own.instanceUid;
  const { token } = await enrolled(hub, spoke_instance_uid);
  const hub_url = `http://127.0.0.1:${port}`;
  const known = await hub.json<{ project_id: number; replay_horizon_event_id: number }>(
    ...["federation", "enable", "web"],
  );
  await own.write(async (tx) => {
    await tx.append(projectCreated(WEB, "web"));
    await tx.unfolded.put("federation_binding", bindingTo(hub_url, WEB, known, tx.now));
  });
  await own.close();
  await new Credentials(credentialsPath(copy.home)).store(WEB, {
    ...{ hub_url, hub_project_id: known.project_id, token },
    ...{ capabilities: ["pull"], actor: "ann", allow_insecure: false, spoke_instance_uid },
  });
  return { hub, copy };
}

async function enrolled(hub: Box, instance: string) {
  return await hub.json<{ token: string }>(
    ...["federation", "enroll", "web", "--spoke-instance", instance, "--actor", "ann"],
    ...["--capabilities", "pull"],
  );
}

/** The database of a daemon, as the test looks into it. */
function opened({ home }: Box) {
  const db = new Database(join(home, "svc.db"), { readonly: true });
  onTestFinished(() => void db.close());
  const count = db.prepare("select count(*) from event").pluck();
  return {
    events: () => Number(count.get()),
    titles: () => db.prepare("select title from issue order by uid").pluck().all(),
    cursor: () => db.prepare("select pull_cursor_event_id from federation_binding").pluck().get(),
  };
}

test("a second machine copies the board of its hub, follows its changes, and loses nothing by kill -9", {
  timeout: 240_000,
}, async () => {
  const { hub, copy } = await hubAndCopy();
  const db = opened(copy);
  let killed = 0;
  for (const moment of MOMENTS) {
    const { pid } = await copy.json<{ pid: number }>("daemon", "start");
    for (let waits = 0; db.events() < moment && waits < 20_000; waits += 1)
      await systemClock.sleep(2);
    if (db.events() < ISSUES) killed += 1;
    process.kill(pid, "SIGKILL");
    await vi.waitFor(() => expect(() => process.kill(pid, 0)).toThrow("ESRCH"), 10_000);
  }
  expect(killed, `seed ${SEED}`).toBeGreaterThanOrEqual(2);
  await copy.json("daemon", "start");
  const theirs = opened(hub);
  await vi.waitFor(() => expect(db.titles()).toHaveLength(ISSUES), 120_000);
  expect(db.titles(), `seed ${SEED}`).toEqual(theirs.titles());
  const made = await hub.json<{ issue: { short_id: string } }>(
    "create",
    "later",
    "--project",
    "web",
  );
  await hub.json("comment", `web#${made.issue.short_id}`, "-m", "from the hub");
  await vi.waitFor(async () => {
    const shown = await copy.svc("show", `web#${made.issue.short_id}`);
    expect(shown.stdout).toContain("from the hub");
  }, 30_000);
  const { checks } = await copy.json<{ checks: { id: string; status: string }[] }>("doctor");
  expect(checks.filter(({ status }) => status === "error")).toEqual([]);
  await expectVerified(copy);
});

/** Verify finds no difference, and then an event that the copy has lost. */
async function expectVerified(copy: Box): Promise<void> {
  const equal = await copy.svc("federation", "verify", "web", "--rows");
  expect([equal.code, equal.stderr]).toEqual([0, ""]);
  expect(equal.stdout).toMatch(
    /^web: the same \d+ events .*\nrows: the same for \d+ issues and \d+ other rows?\n$/,
  );
  await copy.svc("daemon", "stop");
  const db = new Database(join(copy.home, "svc.db"));
  db.exec(`delete from event where issue_uid = '${uid(4000)}'`);
  db.close();
  const lost = await copy.svc("federation", "verify", "web");
  expect(lost.code).toBe(1);
  expect(lost.stdout).toContain(`(issue.snapshot), of issue ${uid(4000)}, is on the hub alone\n`);
  expect(lost.stderr).toContain("the copy differs from its hub");
}
