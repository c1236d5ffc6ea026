import fc from "fast-check";
import { expect, test } from "vitest";
import { instantToMs, msToInstant } from "../../src/base/clock.ts";
import { bySilence, fleetRows, withFleet } from "../../src/screen/fleet/fleet.ts";
import { type FleetLane, fleetLanes, laneOfRow, pageOf } from "../../src/screen/fleet/lanes.ts";
import type { FleetRow } from "../../src/screen/fleet/state.ts";
import { issue, NOW, screen } from "../tui/support.ts";

const MINUTE = 60_000;
const ago = (minutes: number): string => msToInstant(instantToMs(NOW) - minutes * MINUTE);

/** `lastSeen` and `since`: how many minutes ago. */
function held(number: number, holder: string, lastSeen: number | undefined, since = 120): FleetRow {
  const { uid, project_id, short_id: ref, qualified_id: name, title } = issue(number);
  return {
    at: { uid, project_id, ref, name },
    ...{ title, holder, status: "open", owner: holder, lease: undefined },
    since: ago(since),
    last:
      lastSeen === undefined
        ? undefined
        : { kind: "issue.commented", at: ago(lastSeen), uid: undefined },
  };
}

function fleetOf(rows: readonly FleetRow[]) {
  const session = screen(100, 30).keys("6");
  const fleet = { rows: bySilence(rows), truncated: false, error: undefined };
  session.tell({ type: "fleet", project_id: 1, fleet });
  return session.state;
}

const said = ({ holder, start, end, isSilent, lastSeen }: FleetLane) =>
  `${holder} ${start}-${end}${isSilent ? " silent" : ""}${lastSeen === undefined ? " unseen" : ""}`;

test("each person has one lane, and the person who is silent longest comes first", () => {
  const state = fleetOf([
    held(1, "claude", 5),
    held(2, "zoe", undefined, 30),
    held(3, "bo", 40),
    held(4, "claude", 5),
    held(5, "zoe", undefined, 60),
    held(6, "claude", 5),
  ]);
  expect(fleetLanes(state).map(said)).toEqual([
    "zoe 0-2 silent unseen",
    "bo 2-3 silent",
    "claude 3-6",
  ]);
  expect([0, 1, 2, 5, 6, -1].map((row) => laneOfRow(fleetLanes(state), row))).toEqual([
    ...[0, 0, 1, 2, -1, -1],
  ]);
  const silent = withFleet(state, { silentOnly: true });
  expect(fleetLanes(silent).map(said)).toEqual(["zoe 0-2 silent unseen", "bo 2-3 silent"]);
  expect(fleetLanes(fleetOf([]))).toEqual([]);
});

test("a lane is marked as silent once its person has been silent for the configured time", () => {
  const { fleet } = fleetOf([]);
  const limit = fleet.silentAfterMs / MINUTE;
  const state = fleetOf([held(1, "just", limit), held(2, "not", limit - 1)]);
  expect(fleetLanes(state).map(said)).toEqual(["just 0-1 silent", "not 1-2"]);
});

test("the lanes of any holders contain all rows, and no person has two lanes", () => {
  const one = fc.record({
    holder: fc.constantFrom("a", "a b", "b", "c"),
    lastSeen: fc.option(fc.integer({ min: 0, max: 30 }), { nil: undefined }),
    since: fc.integer({ min: 0, max: 30 }),
  });
  // Every event of a holder is the last one on each of their rows.
  const rows = fc.array(one, { maxLength: 20 }).map((all) => {
    const lastSeenOf = new Map(all.map(({ holder, lastSeen }) => [holder, lastSeen]));
    return all.map(({ holder, since }, at) => held(at, holder, lastSeenOf.get(holder), since));
  });
  fc.assert(
    fc.property(rows, (all) => {
      const state = fleetOf(all);
      const lanes = fleetLanes(state);
      const covered = lanes.flatMap(({ holder, start, end }) =>
        fleetRows(state)
          .slice(start, end)
          .map((row) => [row.holder, holder]),
      );
      expect(covered).toHaveLength(all.length);
      for (const [row, lane] of covered) expect(row).toBe(lane);
      expect(new Set(lanes.map(({ holder }) => holder)).size).toBe(lanes.length);
    }),
  );
});

function withKeys(...keys: readonly string[]) {
  const session = screen(100, 30).keys("6");
  const rows = bySilence([
    ...[held(1, "ana", 50), held(2, "ana", 50), held(3, "ana", 50)],
    ...[held(4, "bo", 40), held(5, "bo", 40), held(6, "cy", 5)],
  ]);
  session.tell({
    type: "fleet",
    project_id: 1,
    fleet: { rows, truncated: false, error: undefined },
  });
  return session.keys(...keys).state;
}

test.each([
  ["to the lane after", ["right"], 3],
  ["to the row at the same place of the lane", ["j", "right"], 4],
  ["to the last row of a shorter lane", ["j", "j", "right"], 4],
  ["to the lane before", ["right", "left"], 0],
  ["over a short lane and back, to the row at the same place", ["j", "right", "left"], 1],
  ["through all lanes", ["right", "right"], 5],
  ["nowhere before the first lane", ["left"], 0],
  ["nowhere behind the last lane", ["right", "right", "right"], 5],
])("left and right move %s", (_where, keys, expected) => {
  expect(withKeys(...keys).fleet.cursor).toBe(expected);
});

test("left and right report that there is no further lane, and that nobody is selected if there is no lane at all", () => {
  const said = (...keys: readonly string[]) => withKeys(...keys).messages.notice?.text;
  expect(said("left")).toBe("no holder comes before this one");
  expect(said("right", "right", "right")).toBe("no holder comes after this one");
  const empty = screen(100, 30).keys("6");
  empty.tell({
    type: "fleet",
    project_id: 1,
    fleet: { rows: [], truncated: false, error: undefined },
  });
  expect(empty.keys("right").state.messages.notice?.text).toBe("nobody is selected");
});

const lane = { holder: "bo", start: 10, end: 17, isSilent: false, lastSeen: undefined };

test.each([
  ["outside of the lane", 9, 3, [10, 13, 0, 4]],
  ["on its first row", 10, 3, [10, 13, 0, 4]],
  ["on the last of a page", 12, 3, [10, 13, 0, 4]],
  ["on the first of the next page", 13, 3, [13, 16, 3, 1]],
  ["on its last row", 16, 3, [16, 17, 6, 0]],
  ["behind it", 17, 3, [10, 13, 0, 4]],
  ["where only one has room", 15, 1, [15, 16, 5, 1]],
  ["where all have room", 16, 7, [10, 17, 0, 0]],
])(
  "a lane shows the right page of its cards with the cursor %s",
  (_where, cursor, size, expected) => {
    const { first, end, before, after } = pageOf(lane, cursor, size);
    expect([first, end, before, after]).toEqual(expected);
  },
);
