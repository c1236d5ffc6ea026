import { afterAll, expect, inject, test } from "vitest";
import { dropTemplate } from "./world/postgres-place.ts";
import { type Simulated, type Stage, simulate } from "./world/simulate.ts";

/** `SVC_TEST_SEED` sets another first seed; `npm run bench -- simulation` goes through many more. */
const FIRST = Number(process.env["SVC_TEST_SEED"] ?? 1);
/** A story on PostgreSQL takes ten times as long, and its domain code is the same, so fewer seeds are enough. */
const SEEDS = { sqlite: 20, postgres: 8 } as const;
const SHORTEN_MS = 60_000;

const server = inject("postgres");
afterAll(async () => await dropTemplate(server));

test.each<readonly [string, Stage]>([
  ["SQLite", { dialect: "sqlite" }],
  ["PostgreSQL", { dialect: "postgres", server }],
])(
  "daemons on %s keep every acknowledged write despite faults of commits, network, clock and processes",
  async (_title, stage) => {
    for (let seed = FIRST; seed < FIRST + SEEDS[stage.dialect]; seed += 1) {
      const told = await simulate(stage, seed, { shortenMs: SHORTEN_MS });
      expect(told.failure === undefined ? "" : report(told)).toBe("");
    }
  },
  900_000,
);

function report({ seed, failure, history }: Simulated): string {
  return `seed ${seed}: ${failure}\n\nwhat happened:\n${history}`;
}

test("two runs of one seed on SQLite have the same events and the same end", async () => {
  const twice = [];
  for (let time = 0; time < 2; time += 1) twice.push(await simulate({ dialect: "sqlite" }, 24));
  const [first, second] = twice;
  expect(first?.history).not.toBe("");
  expect(second).toEqual(first);
});
