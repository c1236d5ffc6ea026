import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { tempFolder } from "../support/daemon.ts";
import { firstStartMs, killedFirstStart } from "../support/first-starts.ts";
import { KILL_ROUNDS } from "../support/kill-count.ts";

/** A first start has more moments at which a kill can come than the work of the other tests that kill. */
const ROUNDS = 2 * KILL_ROUNDS;

test("a first start that is killed at any moment leaves a working home with every acknowledged write", async () => {
  const folder = tempFolder();
  const place = (name: string): string => {
    const path = join(folder, name);
    mkdirSync(path);
    return path;
  };
  const whole = await firstStartMs(place("whole"));
  // Kills at moments from before the database exists until after the first acknowledged writes; most are while the
  // database is made.
  for (let round = 0; round < ROUNDS; round++) {
    const afterMs = whole * (0.3 + (0.9 * round) / ROUNDS);
    const { lost, litter } = await killedFirstStart(place(`round-${round}`), afterMs);
    expect({ round, afterMs, lost, litter }).toEqual({ round, afterMs, lost: [], litter: [] });
  }
}, 300_000);
