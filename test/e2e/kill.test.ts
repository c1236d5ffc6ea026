import { expect, test } from "vitest";
import { tempFolder } from "../support/daemon.ts";
import { KILL_ROUNDS } from "../support/kill-count.ts";
import { killRound } from "../support/kill-rounds.ts";

/** The rounds kill at different moments: between two batches, in the middle of one, and just after the start. */
const ROUNDS = Array.from({ length: KILL_ROUNDS }, (_, round) => 1 + ((round * 37) % 150));

test("every write that a daemon acknowledged survives repeated kill -9 while 32 clients write", async () => {
  const folder = tempFolder();
  let events = 0;
  for (const answers of ROUNDS) {
    const round = await killRound(folder, answers);
    expect(round).toMatchObject({ ended: "SIGKILL", lost: [], faults: [] });
    expect(round.acknowledged).toBeGreaterThanOrEqual(answers);
    expect(round.events).toBeGreaterThanOrEqual(events + round.acknowledged);
    events = round.events;
  }
}, 300_000);
