import { Client } from "pg";
import { expect, onTestFinished, test } from "vitest";
import { systemClock } from "../../src/base/clock.ts";
import { systemIds } from "../../src/base/ids.ts";
import { silentLog } from "../../src/base/log.ts";
import { WriteWorker } from "../../src/daemon/write-worker/write-worker.ts";
import { bulkFor } from "../../src/engines/bulk-write.ts";
import { endLeases } from "../../src/engines/leases.ts";
import { TermOver, underTerm } from "../../src/ops/term.ts";
import type { AdminStore } from "../../src/store/admin-store.ts";
import { created, projectCreated, T0, uid } from "../store/drafts.ts";
import { expectFolded } from "../store/fold.ts";
import { daemonSettings, tempFolder } from "../support/daemon.ts";
import { describePostgres, describeStore, type OpenTestStore } from "../support/store.ts";

const P = uid(1);

/** An issue with a lease that expired long ago. */
function leased(issue_uid: string) {
  const payload = {
    claim_uid: issue_uid,
    fence: 1,
    holder: "ann",
    holder_instance_uid: uid(9),
    client_kind: "cli",
    purpose: "work",
    claim_kind: "timed",
    acquired_at: T0,
    expires_at: T0,
    updated_at: T0,
  };
  const claim = { type: "claim.acquired", actor: "ann", project_uid: P, issue_uid, payload };
  return [created(P, issue_uid), claim as never];
}

/** A database with as many expired leases, and a write worker for it as a daemon has one. */
async function world(open: OpenTestStore, leases: number) {
  const database = await open.database();
  const store = await database.open();
  const issues = Array.from({ length: leases }, (_, at) => uid(100 + at));
  await store.write(
    async (tx) => await tx.appendAll([projectCreated(P, "web"), ...issues.flatMap(leased)]),
  );
  const settings = daemonSettings({ folder: tempFolder(), log: silentLog }).ops;
  const shared = { settings, clock: systemClock, log: silentLog };
  const writeWorker = new WriteWorker({ ...shared, database: database.target, store });
  onTestFinished(async () => await writeWorker.stop());
  let large = 0;
  const bulk = async (of: AdminStore = store) => {
    const term = await of.elect("leases");
    if (term === undefined) throw new Error("nobody else is elected");
    const holder = of.elections().find(({ here }) => here)?.holder;
    const worker = async (request: Parameters<WriteWorker["sweep"]>[0]) => {
      large += 1;
      return await writeWorker.sweep(request);
    };
    const needs = { clock: systemClock, ids: systemIds(), settings, worker };
    return bulkFor(needs, underTerm(of, term), { ...term, holder });
  };
  const ended = async () => {
    const events = await store.read(async (reader) => await reader.events.after(0, 1000));
    return events.filter(({ type }) => type === "claim.expired").length;
  };
  return { database, store, bulk, ended, large: () => large };
}

describeStore("a large write by a background engine", (open) => {
  test("goes to the write worker, and makes the same events and rows as a small write", async () => {
    const w = await world(open, 60);
    const heard: number[] = [];
    w.store.onCommit((last) => heard.push(last));
    expect(await (await w.bulk())(endLeases, null)).toBe(60);
    expect([w.large(), await w.ended(), ...new Set(heard)]).toEqual([1, 60, 181]);
    await expectFolded(w.store);
    expect(await (await w.bulk())(endLeases, null)).toBe(0);
    expect(w.large()).toBe(1);
  });

  test("stays on the daemon's own thread when it is small", async () => {
    const w = await world(open, 10);
    expect(await (await w.bulk())(endLeases, null)).toBe(10);
    expect([w.large(), await w.ended()]).toEqual([0, 10]);
    await expectFolded(w.store);
  });
});

describePostgres("a large write by a background engine that is no longer elected", (open) => {
  test("is refused in the write worker", async () => {
    const w = await world(open, 60);
    const bulk = await w.bulk();
    const client = new Client({ connectionString: w.database.target.dsn });
    await client.connect();
    await client.query(`update "${w.database.target.schema}".election set until = since`);
    await client.end();
    await expect(bulk(endLeases, null)).rejects.toThrow(TermOver);
    expect(await w.ended()).toBe(0);
  });
});
