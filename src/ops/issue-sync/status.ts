import type { getIssueSyncStatus as contract } from "../../contract/issue-sync.ts";
import type { ReadOp } from "../deps.ts";
import { requireProject } from "../find.ts";
import { bindingOut, findBound, notEnabled, requireProvider, statusOut } from "./binding.ts";

export const getIssueSyncStatus: ReadOp<typeof contract, "store" | "clock"> = async (
  { store, clock },
  _who,
  { params },
) => {
  const provider = requireProvider(params.provider);
  return await store.read(async (reader) => {
    const project = await requireProject(reader, params.project_id);
    const bound = await findBound(reader, project, provider);
    if (bound === undefined) return { status: notEnabled(project, provider) };
    return { binding: bindingOut(bound), status: statusOut(bound, clock.nowMs()) };
  });
};
