import { NeedsWorker } from "../../base/budget.ts";
import type { Deps } from "../deps.ts";
import type { Replica } from "./bound-replica.ts";
import { findUnchangedBinding } from "./replica.ts";
import { isLargeProject } from "./reset-replica.ts";

/** `gone`: the project is no longer bound as it was. */
export type RejoinOutcome = "sending" | "gone";

/**
 * Lets a project that has joined its hub again, and has read all that the hub has, send what was changed while it was
 * no copy. These events are written again in the name of the actor of the enrollment, since the hub accepts no other
 * (docs/contract/federation.md#42-rejoin).
 */
export async function beginSending(
  { store, smallWorkOnly }: Pick<Deps, "store" | "smallWorkOnly">,
  { replica }: { readonly replica: Replica },
): Promise<RejoinOutcome> {
  const { project_uid } = replica;
  if (smallWorkOnly === true && (await isLargeProject(store, project_uid))) throw new NeedsWorker();
  return await store.write(async (tx) => {
    const binding = await findUnchangedBinding(tx, replica);
    if (binding === undefined || binding.bound_actor === null) return "gone";
    const push_cursor_event_id = await tx.events.lastId();
    await tx.writeAgain(project_uid, binding.bound_actor);
    const sending = { push_enabled: 1, pushes_once_read: 0, push_cursor_event_id } as const;
    await tx.unfolded.put("federation_binding", { ...binding, ...sending, updated_at: tx.now });
    return "sending";
  });
}
