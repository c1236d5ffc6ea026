import { expect, test } from "vitest";
import { instantToMs } from "../../src/base/clock.ts";
import { editIssue, showIssue } from "../../src/contract/issues.ts";
import { FakeClock } from "../support/clock.ts";
import { joined } from "../support/replica.ts";
import { describeStore, type OpenTestStore } from "../support/store.ts";
import type { World } from "../support/world.ts";
import { expectClean, rowsOf } from "./copies.ts";

const HOUR = 3_600_000;
const START = "2026-03-01T12:00:00.000Z";

/** A copy whose clock is wrong, and an issue that both sides know. */
async function copyAhead(open: OpenTestStore, aheadMs: number) {
  const clock = new FakeClock(START);
  clock.advance(aheadMs);
  let uid = "";
  const it = await joined(
    open,
    async (hub, project) => {
      hub.clock.advance(instantToMs(START) - hub.clock.nowMs());
      uid = (await hub.given.issue({ project, title: "of the hub" })).uid;
    },
    { push: true, clock },
  );
  expect(await it.pull()).toMatchObject({ outcome: "current" });
  const at = async ({ store }: World) => {
    const found = await store.read(async ({ projects }) => await projects.find(it.project.uid));
    return { project_id: found?.id ?? 0, ref: uid };
  };
  /** A second goes by everywhere before each change. */
  const retitle = async (w: World, title: string) => {
    for (const one of [it.hub.clock, clock]) one.advance(1000);
    await w.call(editIssue, { params: await at(w), body: { title } });
  };
  const title = async (w: World) => (await w.call(showIssue, { params: await at(w) })).issue.title;
  return { ...it, retitle, title, at };
}

describeStore("a copy whose clock is wrong", (open) => {
  test.each([
    ["an hour ahead", HOUR],
    ["23 hours ahead", 23 * HOUR],
    ["an hour behind", -HOUR],
    ["a year behind", -365 * 24 * HOUR],
  ])(
    "the later edit wins on both sides if its writer has read the earlier edit, with the copy's clock %s",
    async (_, ms) => {
      const it = await copyAhead(open, ms);
      const { hub, spoke } = it;
      for (const [round, writer] of [spoke, hub, spoke, hub].entries()) {
        await it.retitle(writer, `round ${round}`);
        expect(await it.pull()).toMatchObject({ outcome: "current" });
        expect([await it.title(hub), await it.title(spoke)]).toEqual([
          `round ${round}`,
          `round ${round}`,
        ]);
      }
      expect(await rowsOf(spoke)).toEqual(await rowsOf(hub));
      for (const w of [hub, spoke]) await expectClean(w);
    },
  );

  test("a copy whose clock is 25 hours ahead sends nothing, keeps its changes, and sends them an hour later", async () => {
    const it = await copyAhead(open, 25 * HOUR);
    const { hub, spoke, project } = it;
    await it.retitle(spoke, "of tomorrow");
    expect(await it.pull()).toMatchObject({ outcome: "failed", code: "clock_ahead" });
    const waiting = await spoke.store.read(
      async ({ federation }) => await federation.activeQuarantine(project.uid),
    );
    expect([await it.title(hub), await it.title(spoke), waiting]).toEqual([
      "of the hub",
      "of tomorrow",
      undefined,
    ]);
    hub.clock.advance(HOUR + 1000);
    expect(await it.pull()).toMatchObject({ outcome: "current" });
    expect([await it.title(hub), await it.title(spoke)]).toEqual(["of tomorrow", "of tomorrow"]);
    await it.retitle(hub, "of the hub again");
    expect(await it.pull()).toMatchObject({ outcome: "current" });
    expect(await it.title(spoke)).toBe("of the hub again");
    expect(await rowsOf(spoke)).toEqual(await rowsOf(hub));
  });
});
