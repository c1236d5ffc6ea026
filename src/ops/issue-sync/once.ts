import { invalid, SvcError } from "../../contract/errors.ts";
import type { runIssueSyncOnce as contract } from "../../contract/issue-sync.ts";
import type { Input } from "../../contract/route.ts";
import { requireWriter } from "../actor.ts";
import type { Deps, Op, Principal } from "../deps.ts";
import { requireProject } from "../find.ts";
import { bindingOut, findBound, requireProvider, statusOut } from "./binding.ts";
import { claimRun } from "./claim.ts";
import type { FarSide } from "./far-side.ts";

type Needs = Pick<Deps, "store" | "clock"> & { readonly farSide: FarSide };

/** Reads the repository now, even if no run is due. Refused while another run has the binding. */
export async function runIssueSyncOnce(
  { store, clock, farSide }: Needs,
  who: Principal,
  { params, body }: Input<typeof contract>,
): ReturnType<Op<typeof contract>> {
  requireWriter(who);
  const provider = requireProvider(params.provider);
  const claim = await store.write(async (tx) => {
    const project = await requireProject(tx, params.project_id);
    const bound = await findBound(tx, project, provider);
    if (bound?.binding.enabled !== 1)
      throw invalid(
        "the project reads from no repository of this code host",
        `svc sync ${provider} enable`,
      );
    const claim = await claimRun(tx, bound, clock.nowMs());
    if (claim !== undefined) return claim;
    const { sync_started_at } = bound.status;
    throw new SvcError("issue_sync_already_running", { sync_started_at });
  });
  const result = await farSide.run(claim, { parents: body.parents === true });
  return await store.read(async (reader) => {
    const project = await requireProject(reader, params.project_id);
    const bound = await findBound(reader, project, provider);
    if (bound === undefined) throw new SvcError("issue_sync_binding_changed", {});
    const out = { binding: bindingOut(bound), status: statusOut(bound, clock.nowMs()) };
    const items = result.items.map((item) => ({ ...item }));
    return { ...out, import: { ...result, items, errors: [...result.errors] } };
  });
}
