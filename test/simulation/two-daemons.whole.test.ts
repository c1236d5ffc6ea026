import { expect, test } from "vitest";
import { systemClock } from "../../src/base/clock.ts";
import { postgresDsn } from "../support/postgres.ts";
import { type FaultName, QUICK_FAULTS, SILENT_FAULTS } from "./faults.ts";
import type { Call } from "./history.ts";
import { explain } from "./issue-model.ts";
import { type Round, twoDaemons } from "./two-daemons.ts";

/** New for each run, unless `SVC_TEST_SEED` repeats a failure. */
const SEED = Number(process.env["SVC_TEST_SEED"] ?? systemClock.nowMs() % 2 ** 31);

test.each<readonly [string, readonly FaultName[], number]>([
  ["connections break, the server is away, or a daemon is killed", QUICK_FAULTS, 12],
  ["the network falls silent", SILENT_FAULTS, 2],
])(
  "two daemons on one database behave like one while %s",
  async (_what, faults, rounds) => {
    const done = await twoDaemons({ dsn: await postgresDsn(), seed: SEED, rounds, faults });
    expect(done.flatMap(unexplained).join("\n")).toBe("");
  },
  300_000,
);

/** A text for each issue whose history no order of its calls explains. */
function unexplained({ fault, histories }: Round): readonly string[] {
  return histories.flatMap((calls) => {
    const verdict = explain(calls);
    if (verdict.linearizable) return [];
    return [
      `seed ${SEED}, while ${fault}: no order of these calls explains the last ones`,
      ...verdict.order.map(shown),
      "unexplained:",
      ...verdict.unexplained.map(shown),
    ];
  });
}

function shown({ client, input, invoked, returned, outcome }: Call<unknown, unknown>): string {
  return `${invoked}-${returned} ${client} ${JSON.stringify(input)} ${JSON.stringify(outcome)}`;
}
