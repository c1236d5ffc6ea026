import { expect, test } from "vitest";
import { systemClock } from "../../src/base/clock.ts";
import { systemIds } from "../../src/base/ids.ts";
import type { IssueRow } from "../../src/domain/state.ts";
import { openBackend } from "../../src/store/open.ts";
import { describeStore, type OpenTestStore } from "../support/store.ts";
import { type World, world } from "../support/world.ts";

const deps = { clock: systemClock, ids: systemIds(), timezone: "UTC" };
const TITLES = ["first", "second", "third"] as const;

describeStore("a refold of issues whose rows have exchanged short ids", (open) => {
  test.each(TITLES)(
    "gives all issues their own short ids back, even if only the %s issue is folded again",
    async (title) => {
      const { w, issues } = await tampered(open, exchanged);
      const uid = issues[TITLES.indexOf(title)]?.uid ?? "";
      expect(await refold(w, [uid])).toBe(3);
      expect(await found(w, issues)).toMatchObject(issues.map(visible));
      expect(await refold(w, uidsOf(issues))).toBe(0);
    },
  );

  test("gives each issue its project and short id back, if one row has those of another project's issue", async () => {
    const { w, issues } = await tampered(open, inOtherProject);
    expect(await refold(w, [issues[3]?.uid ?? ""])).toBe(2);
    expect(await found(w, issues)).toMatchObject(issues.map(visible));
    expect(await refold(w, uidsOf(issues))).toBe(0);
  });

  test("creates a missing row again, although another row has its short id", async () => {
    const { w, issues } = await tampered(open, missing);
    expect(await refold(w, [issues[0]?.uid ?? ""])).toBe(2);
    expect(await found(w, issues)).toMatchObject(issues.map(visible));
    expect(await refold(w, uidsOf(issues))).toBe(0);
  });
});

type Issue = Pick<IssueRow, "uid" | "short_id" | "title" | "revision"> & {
  readonly project_uid?: string | undefined;
};

/** Each of the first three rows has the short id of the next one, and the third that of the first. */
function exchanged(issues: readonly Issue[]): readonly string[] {
  const three = issues.slice(0, 3);
  const next = (at: number) => three[(at + 1) % 3]?.short_id ?? "";
  return [
    "update issue set short_id = lower(uid) where title <> 'fourth'",
    ...three.map(({ uid }, at) => `update issue set short_id = '${next(at)}' where uid = '${uid}'`),
  ];
}

/** The first row has project and short id of the fourth, and the fourth is in the project of the first. */
function inOtherProject([first, , , fourth]: readonly Issue[]): readonly string[] {
  return [
    `update issue set project_uid = '${first?.project_uid}' where uid = '${fourth?.uid}'`,
    `update issue set project_uid = '${fourth?.project_uid}', short_id = '${fourth?.short_id}'
       where uid = '${first?.uid}'`,
  ];
}

/** The first row is not there, and the second has its short id. */
function missing([first, second]: readonly Issue[]): readonly string[] {
  return [
    `delete from issue where uid = '${first?.uid}'`,
    `update issue set short_id = '${first?.short_id}' where uid = '${second?.uid}'`,
  ];
}

/** Makes three issues in one project and a fourth in another, and then changes their rows without events. */
async function tampered(
  open: OpenTestStore,
  tampering: (issues: readonly Issue[]) => readonly string[],
) {
  const database = await open.database();
  const w = await world({ store: database.open });
  const issues = [];
  for (const title of TITLES) issues.push(await w.given.issue({ title }));
  issues.push(await w.given.issue({ title: "fourth", project: await w.given.project("other") }));
  const backend = await openBackend({ ...database.target, ...deps, served: true });
  const connection = await backend.writer();
  for (const statement of tampering(issues)) await connection.execute(statement, []);
  await backend.close();
  return { w, issues };
}

async function refold(w: World, uids: readonly string[]): Promise<number> {
  return await w.store.write(async (tx) => await tx.refold(uids));
}

async function found(w: World, issues: readonly Issue[]) {
  return await w.store.read(
    async (reader) =>
      await Promise.all(uidsOf(issues).map(async (uid) => await reader.issues.find(uid))),
  );
}

function uidsOf(issues: readonly Issue[]): readonly string[] {
  return issues.map(({ uid }) => uid);
}

function visible({ uid, project_uid, short_id, title, revision }: Issue) {
  return { uid, project_uid, short_id, title, revision };
}
