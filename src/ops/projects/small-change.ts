import { NeedsWorker } from "../../base/budget.ts";
import type { StoredProject } from "../../store/types/rows.ts";
import type { Tx } from "../../store/types/store.ts";
import type { Deps } from "../deps.ts";

/** If a project has more issues or more events than this, a worker handles the request. */
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
