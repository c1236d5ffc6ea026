import { expect } from "vitest";
import { examineDatabase } from "../../src/archive/doctor.ts";
import type { Target } from "../../src/archive/target.ts";

/** Fails unless the database is undamaged, its log is complete, and its tables equal the fold of the log. */
export async function expectSound(target: Target): Promise<void> {
  const report = await examineDatabase(target);
  expect(report).toEqual({
    events: expect.any(Number),
    rows: report.rows,
    integrity: [],
    changedEvents: [],
    brokenChain: [],
  });
  expect(report.events).toBeGreaterThan(15);
}
