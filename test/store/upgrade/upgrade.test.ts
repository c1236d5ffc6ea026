import { expect, onTestFinished, test } from "vitest";
import { systemClock } from "../../../src/base/clock.ts";
import { systemIds } from "../../../src/base/ids.ts";
import { core } from "../../../src/store/migrations/0001_core.ts";
import { openBackend, openStore } from "../../../src/store/open.ts";
import { prepare } from "../../../src/store/upgrade/prepare.ts";
import { describeStore } from "../../support/store.ts";
import { T0, uid } from "../drafts.ts";
import { collect, expectFolded } from "../fold.ts";

const options = { clock: systemClock, ids: systemIds(), timezone: "UTC" };

describeStore("a database of the first version", (open) => {
  test("is upgraded with its events in their projects' feeds", async () => {
    const { empty: target } = await open.database();
    const [project, issue] = [uid(1), uid(2)];
    await atFirstVersion(target, [
      `insert into project values (1, '${project}', 'web', '{}', 1, '${T0}', null, 0, 0)`,
      eventRow(1, project, "null", "project.created", { name: "web" }),
      eventRow(2, project, `'${issue}'`, "project.restored", {}),
      "update log_head set last_event_id = 2",
    ]);
    const store = await openStore({ ...options, ...target });
    onTestFinished(async () => await store.close());
    const feed = await store.read(async ({ events }) => await events.after(0, 10, project));
    expect(feed.map(({ id, feed_uid }) => [id, feed_uid])).toEqual([
      [1, undefined],
      [2, undefined],
    ]);
    await store.write(async (tx) => {
      const payload = { name: "next" };
      await tx.append({ type: "project.created", actor: "ann", project_uid: uid(3), payload });
    });
    await expectFolded(store);
  });

  test("learns which events mention which issues, and which links wait for a missing issue", async () => {
    const { empty: target } = await open.database();
    const [project, named, naming, missing] = [uid(1), uid(2), uid(3), uid(4)];
    const links = [named, missing].map((to_issue_uid) => ({
      type: "blocks",
      to_issue_uid,
      to_short_id: "x",
      author: "ann",
    }));
    const row = (id: number, issue: string) =>
      `insert into issue values (${id}, '${issue}', '${project}', 'id${id}', 't', '', 'open', null, null, null,
        'ann', '{}', 1, '${T0}', '${T0}', null, null, 0, 0, 0, 0, 0, null)`;
    await atFirstVersion(target, [
      `insert into project values (1, '${project}', 'web', '{}', 1, '${T0}', null, 0, 0)`,
      row(1, named),
      row(2, naming),
      eventRow(1, project, "null", "project.created", { name: "web" }),
      eventRow(2, project, `'${naming}'`, "issue.created", { uid: naming, links }),
      eventRow(3, project, `'${naming}'`, "issue.links_changed", { blocks_removed_uids: [named] }),
      "update log_head set last_event_id = 3",
    ]);
    const store = await openStore({ ...options, ...target });
    onTestFinished(async () => await store.close());
    const found = async (issue: string) =>
      (await store.read(async ({ past }) => await past.mentioning([issue], 9))).map(({ id }) => id);
    expect(await found(named)).toEqual([2, 3]);
    expect(await found(naming)).toEqual([]);
    expect(await found(missing)).toEqual([2]);
    const snapshot = await store.openSnapshot();
    onTestFinished(async () => await snapshot.close());
    expect(await collect(snapshot, "waiting_link")).toMatchObject([
      { from_uid: naming, to_uid: missing, type: "blocks", author: "ann" },
    ]);
  });
});

async function atFirstVersion(
  target: { readonly dsn: string; readonly schema?: string },
  statements: readonly string[],
): Promise<void> {
  const backend = await openBackend({ ...options, ...target });
  await prepare(backend, [core], options);
  const connection = await backend.writer();
  for (const statement of statements) await connection.execute(statement, []);
  await backend.close();
}

function eventRow(id: number, project: string, issue: string, type: string, payload: object) {
  const values = `${id}, '${uid(100 + id)}', '${uid(9)}', '${project}', ${issue}, null, '${type}'`;
  return `insert into event values (${values}, 'ann', '${JSON.stringify(payload)}', 1, ${id}, 'x', '${T0}')`;
}
