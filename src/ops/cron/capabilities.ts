import {
  type getCronCapabilities as contract,
  EVENT_FEATURES,
} from "../../contract/capabilities.ts";
import type { Input, Output } from "../../contract/route.ts";
import type { Deps, Principal } from "../deps.ts";
import { requireProject } from "../find.ts";

export async function getCronCapabilities(
  deps: Pick<Deps, "store">,
  _who: Principal,
  { params }: Input<typeof contract>,
): Promise<Output<typeof contract>> {
  const project = await deps.store.read(
    async (reader) => await requireProject(reader, params.project_id),
  );
  return { project_uid: project.uid, event_features: [...EVENT_FEATURES] };
}
