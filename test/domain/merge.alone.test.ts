import { expect, test, vi } from "vitest";
import { evolve, touches } from "../../src/domain/evolve/evolve.ts";
import type * as Tables from "../../src/domain/tables/tables.ts";
import { eventOf, projectRow, stateOf } from "./rows.ts";

vi.mock("../../src/domain/tables/tables.ts", async (original) => {
  const { projectUid, uid } = await import("../../src/domain/tables/columns.ts");
  const { table } = await import("../../src/domain/tables/table.ts");
  const real = await original<typeof Tables>();
  const watch = table({
    folded: true,
    numbered: false,
    key: ["project_uid", "uid"],
    columns: { uid: uid(), project_uid: projectUid() },
    belongs: { project: "project_uid" },
    undo: { none: "planted" },
    record: { none: "planted" },
  });
  const TABLES = { ...real.TABLES, watch };
  const FOLDED = [...real.FOLDED, "watch"];
  return { ...real, TABLES, FOLDED, eachTable: () => Object.entries(TABLES) };
});

test("a merge moves the rows of every table that belongs to a project", () => {
  const state = stateOf([], [], [projectRow({ uid: "P" }), projectRow({ uid: "Q", name: "q" })]);
  const row = { uid: "W", project_uid: "P" };
  state.put("watch" as "alias", row as never);
  const event = eventOf(
    "project.merged",
    { source_uid: "P", source_name: "web", short_id_extensions: [] },
    { project_uid: "Q" },
  );
  expect(touches(event).of).toMatchObject({ watch: ["P"] });
  const changes = evolve(state, event).filter(({ table }) => table === ("watch" as "alias"));
  expect(changes).toEqual([
    { table: "watch", remove: row },
    { table: "watch", put: { uid: "W", project_uid: "Q" } },
  ]);
});
