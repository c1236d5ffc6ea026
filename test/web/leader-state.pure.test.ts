import { describe, expect, test } from "vitest";
import {
  type LeaderAct,
  type LeaderEvent,
  type LeaderState,
  nextLeader,
} from "../../web/shared-stream/leader-state.ts";

const away: LeaderState = { name: "away" };
const standing: LeaderState = { name: "standing" };
const leading: LeaderState = { name: "leading" };
const after = (leader: string): LeaderState => ({ name: "following", leader });
const heard = (says: "standing" | "beat" | "bye", from: string): LeaderEvent => ({
  ...{ is: "heard", says, from },
});

/** The window of the test is `m`: `a` is a smaller id, and `z` a greater one. */
const EVENTS: readonly LeaderEvent[] = [
  ...(["joined", "left", "elapsed", "granted", "robbed"] as const).map((is) => ({ is })),
  ...(["standing", "beat", "bye"] as const).flatMap((says) => [heard(says, "a"), heard(says, "z")]),
];

type Row = readonly (readonly [LeaderState, ...LeaderAct[]])[];

const AWAY: Row = [
  [standing, "say-standing", "ask-lock"],
  ...([[away], [away]] satisfies Row),
  [away, "free-lock"],
  ...([[away], [away], [away], [away], [away], [away], [away]] satisfies Row),
];

describe.each<[string, boolean, readonly (readonly [LeaderState, Row])[]]>([
  [
    "with locks",
    true,
    [
      [away, AWAY],
      [
        standing,
        [
          [standing],
          [away, "free-lock"],
          [standing, "steal-lock"],
          [leading, "say-beat"],
          [standing],
          [standing],
          [standing],
          [after("a")],
          [after("z")],
          [standing],
          [standing],
        ],
      ],
      [
        after("a"),
        [
          [after("a")],
          [away, "free-lock"],
          [standing, "steal-lock"],
          [leading, "say-beat"],
          [after("a")],
          [after("a")],
          [after("a")],
          [after("a")],
          [after("z")],
          [standing, "say-standing"],
          [after("a")],
        ],
      ],
      [
        leading,
        [
          [leading],
          [away, "say-bye", "free-lock"],
          [leading],
          [leading],
          [standing, "say-standing", "ask-lock"],
          [leading, "say-beat"],
          [leading, "say-beat"],
          [leading],
          [leading],
          [leading],
          [leading],
        ],
      ],
    ],
  ],
  [
    "without locks",
    false,
    [
      [away, AWAY],
      [
        standing,
        [
          [standing],
          [away, "free-lock"],
          [leading, "say-beat"],
          [leading, "say-beat"],
          [standing],
          [after("a")],
          [standing, "say-standing"],
          [after("a")],
          [after("z")],
          [standing],
          [standing],
        ],
      ],
      [
        after("a"),
        [
          [after("a")],
          [away, "free-lock"],
          [standing, "say-standing"],
          [leading, "say-beat"],
          [after("a")],
          [after("a")],
          [after("a")],
          [after("a")],
          [after("z")],
          [standing, "say-standing"],
          [after("a")],
        ],
      ],
      [
        leading,
        [
          [leading],
          [away, "say-bye", "free-lock"],
          [leading],
          [leading],
          [standing, "say-standing", "ask-lock"],
          [leading, "say-beat"],
          [leading, "say-beat"],
          [after("a")],
          [leading, "say-beat"],
          [leading],
          [leading],
        ],
      ],
    ],
  ],
])("each event leads a window to the right next state, %s", (_name, hasLocks, table) => {
  test.each(table)("$name", (state, row) => {
    const steps = EVENTS.map((event) => nextLeader(state, event, { id: "m", hasLocks }));
    expect(steps.map((step) => [step.state, ...step.acts])).toEqual(row);
  });
});
