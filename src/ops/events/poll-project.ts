import type { pollProjectEvents as contract } from "../../contract/activity.ts";
import type { Input, Output } from "../../contract/route.ts";
import type { Deps, Principal } from "../deps.ts";
import { pollPage } from "./poll.ts";

export async function pollProjectEvents(
  deps: Pick<Deps, "store">,
  _who: Principal,
  { params, query }: Input<typeof contract>,
): Promise<Output<typeof contract>> {
  return await pollPage(deps, { ...query, project_id: [params.project_id] });
}
