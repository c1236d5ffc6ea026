import { beginBaseline, type PreparedBaseline } from "../../src/ops/federation/baseline.ts";
import type { Tx } from "../../src/store/types/store.ts";

/** The ids of the first and the last event of a baseline. */
export interface BaselineSpan {
  readonly horizon: number;
  readonly through: number;
}

/** Writes a whole baseline in one write, and no binding. */
export async function writeBaseline(tx: Tx, prepared: PreparedBaseline): Promise<BaselineSpan> {
  const { baseline, snapshots } = await beginBaseline(tx, prepared);
  return { horizon: baseline.horizon, through: await tx.appendSnapshots(baseline, snapshots) };
}
