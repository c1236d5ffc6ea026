import type { Appending } from "../append.ts";
import { judgeLinksOf } from "../fold/waiting-links.ts";
import { hubsOfCopies } from "../load/hubs-of-copies.ts";

/**
 * Writes a binding. Then decides again which links between projects are shown or wait, because this depends on which
 * projects are copies, and of which hub (docs/contract/federation.md#84-links-and-parents).
 */
export async function changeBinding(to: Appending, change: () => Promise<void>): Promise<void> {
  const before = await hubsOfCopies(to.connection);
  await change();
  to.copies.forget();
  const after = await hubsOfCopies(to.connection);
  to.loaded.hubs = after;
  const projects = [...new Set([...before.keys(), ...after.keys()])];
  const changed = projects.filter((uid) => before.get(uid) !== after.get(uid));
  if (changed.length > 0) await judgeLinksOf(to, changed);
}
