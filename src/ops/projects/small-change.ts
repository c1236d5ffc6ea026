import { NeedsWorker } from "../../base/budget.ts";
import type { StoredProject } from "../../store/types/rows.ts";
import type { Tx } from "../../store/types/store.ts";
import type { Deps } from "../deps.ts";

/** How many issues and events of a project are changed on the daemon's own thread: a few milliseconds of work. */
const SMALL_WORK = 100;

/** On the daemon's own thread, throws `NeedsWorker` before a large change of these projects. */
export async function requireSmallChange(
  { smallWorkOnly }: Pick<Deps, "smallWorkOnly">,
  tx: Tx,
  ...projects: readonly StoredProject[]
): Promise<void> {
  if (smallWorkOnly !== true) return;
  for (const { uid } of projects)
    if (await tx.projects.holdsMoreThan(uid, SMALL_WORK)) throw new NeedsWorker();
}
