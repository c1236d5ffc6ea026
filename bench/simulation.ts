/**
 * Runs the simulated stories of many seeds (`test/simulation/world`), on both databases. Prints the seed of each story
 * that fails. The exit code is 1 if a story fails.
 *
 *   npm run bench -- simulation [--seeds 2000] [--first 1] [--on sqlite]
 */
import { parseArgs } from "node:util";
import { systemClock } from "../src/base/clock.ts";
import { dropTemplate } from "../test/simulation/world/postgres-place.ts";
import { type Stage, simulate } from "../test/simulation/world/simulate.ts";
import { memoryFolder } from "../test/support/memory-folder.ts";
import { startPostgres } from "../test/support/postgres-server.ts";

const SHORTEN_MS = 300_000;
// As in the tests, keep the databases of the stories in memory if there is enough.
process.env["TMPDIR"] = memoryFolder();

const { values } = parseArgs({
  options: {
    seeds: { type: "string", default: "2000" },
    first: { type: "string", default: "1" },
    on: { type: "string" },
  },
});
const first = Number(values.first);
const count = Number(values.seeds);

const failed = [
  ...(values.on === "postgres" ? [] : await tellAll({ dialect: "sqlite" })),
  ...(values.on === "sqlite" ? [] : await onPostgres()),
];
process.exit(failed.length === 0 ? 0 : 1);

async function onPostgres(): Promise<readonly number[]> {
  const given = process.env["SVC_TEST_POSTGRES"] ?? "";
  if (given !== "") return await onServer(given);
  const server = await startPostgres();
  try {
    return await onServer(server.dsn);
  } finally {
    await server.stop();
  }
}

async function onServer(server: string): Promise<readonly number[]> {
  try {
    return await tellAll({ dialect: "postgres", server });
  } finally {
    await dropTemplate(server);
  }
}

/** Returns the seeds whose stories fail. */
async function tellAll(stage: Stage): Promise<readonly number[]> {
  const begun = systemClock.nowMs();
  const secondsNow = () => Math.round((systemClock.nowMs() - begun) / 1000);
  const failing: number[] = [];
  for (let seed = first; seed < first + count; seed += 1) {
    if (seed % 100 === 0) console.log(`${stage.dialect}: seed ${seed} after ${secondsNow()} s`);
    const { failure, history } = await simulate(stage, seed, { shortenMs: SHORTEN_MS });
    if (failure === undefined) continue;
    failing.push(seed);
    console.log(`${stage.dialect}, seed ${seed}: ${failure}\n\nwhat happened:\n${history}\n`);
  }
  const seeds = failing.length === 0 ? "" : `: ${failing.join(", ")}`;
  console.log(
    `${stage.dialect}: ${count} stories in ${secondsNow()} s, ${failing.length} fail${seeds}`,
  );
  return failing;
}
