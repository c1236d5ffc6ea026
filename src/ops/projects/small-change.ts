import { NeedsWorker } from "../../base/budget.ts";
import type { StoredProject, Tx } from "../../store/types.ts";
import type { Deps } from "../deps.ts";

/** A change of a whole project with so many issues and events takes some milliseconds. */
const LITTLE = 100;

/** Before a change of everything in these projects: where others wait, only a little may be changed. */
export async function requireSmallChange(
  { smallWorkOnly }: Pick<Deps, "smallWorkOnly">,
  tx: Tx,
  ...projects: readonly StoredProject[]
): Promise<void> {
  if (smallWorkOnly !== true) return;
  for (const { uid } of projects)
    if (await tx.projects.holdsMoreThan(uid, LITTLE)) throw new NeedsWorker();
}
