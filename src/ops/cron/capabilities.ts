import {
  type getCronCapabilities as contract,
  EVENT_FEATURES,
} from "../../contract/capabilities.ts";
import type { Op } from "../deps.ts";
import { requireProject } from "../find.ts";

export const getCronCapabilities: Op<typeof contract> = async (deps, _who, { params }) => {
  const project = await deps.store.read(
    async (reader) => await requireProject(reader, params.project_id),
  );
  return { project_uid: project.uid, event_features: [...EVENT_FEATURES] };
};
