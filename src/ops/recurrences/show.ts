import type { showRecurrence as contract } from "../../contract/recurrences.ts";
import type { Input, Output } from "../../contract/route.ts";
import type { Deps, Principal } from "../deps.ts";
import { recurrenceOut } from "../out/recurrences.ts";
import { requireRecurrence } from "./find.ts";

export async function showRecurrence(
  deps: Pick<Deps, "store">,
  _who: Principal,
  { params }: Input<typeof contract>,
): Promise<Output<typeof contract>> {
  return await deps.store.read(async (reader) => {
    const { project, recurrence } = await requireRecurrence(reader, params);
    return { recurrence: recurrenceOut(recurrence, project) };
  });
}
