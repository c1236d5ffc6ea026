import { expect, test } from "vitest";
import { systemClock } from "../../src/base/clock.ts";
import { listIssueEvents, pollEvents, pollProjectEvents } from "../../src/contract/activity.ts";
import { instance } from "../../src/contract/health.ts";
import { listInboxGlobal } from "../../src/contract/inbox.ts";
import { purgeIssue } from "../../src/contract/removal.ts";
import { openBackend } from "../../src/store/open.ts";
import { describeStore, type OpenTestStore } from "../support/store.ts";
import { world } from "../support/world.ts";

const HEADER = "x-svc-log";
const OTHER_EPOCH = "01J00000000000000000000000";

/** A world with a project and two issues: events 1 to 3. `sql` changes its database behind the daemon's back. */
async function filled(open: OpenTestStore) {
  const database = await open.database();
  const w = await world({ store: async (options) => await database.open(options) });
  const first = await w.given.issue();
  await w.given.issue();
  const { events, epoch = "" } = await w.call(pollEvents);
  const chains = new Map(events.map(({ event_id, chain }) => [event_id, chain ?? ""]));
  const poll = async (after_id: number, log: string) =>
    await w.call(pollEvents, { query: { after_id }, headers: { [HEADER]: log } });
  const sql = async (...statements: readonly string[]): Promise<void> => {
    const backend = await openBackend({
      ...database.target,
      ...w,
      timezone: "UTC",
      clock: systemClock,
    });
    const connection = await backend.writer();
    for (const statement of statements) await connection.execute(statement, []);
    await backend.close();
  };
  return { ...w, first, epoch, chains, poll, sql };
}

describeStore("the identity of the log behind a cursor", (open) => {
  test("is in a header of every answer with a cursor, and svc names the chain of the last event", async () => {
    const w = await filled(open);
    const answers = [
      await w.send(pollEvents),
      await w.send(pollProjectEvents, { params: w.first.path }),
      await w.send(listIssueEvents, { params: w.first.path }),
      await w.send(instance),
      await w.send(listInboxGlobal, { query: { for: "ann" } }),
    ];
    expect(answers.map(({ headers }) => headers.get(HEADER))).toEqual(answers.map(() => w.epoch));
    expect(w.epoch).toMatch(/^[0-9A-Z]{26}$/);
    const stood = await w.call(instance);
    expect(stood).toMatchObject({ last_event_id: 3, epoch: w.epoch, chain: w.chains.get(3) });
  });

  test("lets a reader continue if it is sent back unchanged", async () => {
    const w = await filled(open);
    for (const log of [w.epoch, `${w.epoch}/${w.chains.get(2)}`])
      expect(await w.poll(2, log)).toMatchObject({
        reset_required: false,
        events: [{ event_id: 3 }],
        epoch: w.epoch,
      });
  });

  test("differs if the epoch differs: then the reader restarts at the end of the log", async () => {
    const w = await filled(open);
    expect(await w.poll(2, `${OTHER_EPOCH}/${w.chains.get(2)}`)).toEqual({
      reset_required: true,
      reset_after_id: 3,
      events: [],
      next_after_id: 3,
      epoch: w.epoch,
    });
    expect(await w.poll(3, OTHER_EPOCH)).toMatchObject({ reset_required: true });
  });

  test("differs if the chain at the cursor differs, even if the log has grown past the cursor again", async () => {
    const w = await filled(open);
    const read = `${w.epoch}/${w.chains.get(2)}`;
    await w.sql(`update event set chain = '${"ab".repeat(16)}' where id = 2`);
    expect(await w.poll(2, read)).toMatchObject({ reset_required: true, reset_after_id: 3 });
    expect(await w.poll(2, w.epoch)).toMatchObject({ reset_required: false });
  });

  test("is compared by event number and epoch if a purge removed the event at the cursor", async () => {
    const w = await filled(open);
    const other = await w.given.project("other");
    const read = `${w.epoch}/${w.chains.get(2)}`;
    await w.call(purgeIssue, {
      params: w.first.path,
      headers: { "x-svc-confirm": `PURGE ${w.first.qualified_id}` },
    });
    const headers = { [HEADER]: read };
    const query = { after_id: 2 };
    expect(await w.call(pollEvents, { query, headers })).toMatchObject({ reset_required: true });
    const elsewhere = { params: { project_id: other.id }, query, headers };
    expect(await w.call(pollProjectEvents, elsewhere)).toMatchObject({
      reset_required: false,
      events: [{ type: "project.created" }],
    });
  });

  test.each([
    "",
    "x",
    `${OTHER_EPOCH}/`,
    `${OTHER_EPOCH}/abc`,
    `${OTHER_EPOCH}/${"AB".repeat(16)}`,
  ])("is refused when it is malformed: %j", async (log) => {
    const w = await filled(open);
    const refused = await w.refused(pollEvents, { headers: { [HEADER]: log } });
    expect(refused).toMatchObject({ code: "validation", data: { field: "X-Svc-Log" } });
  });
});
