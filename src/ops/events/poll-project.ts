import type { pollProjectEvents as contract } from "../../contract/activity.ts";
import type { Input, Output } from "../../contract/route.ts";
import type { Principal, ReadDeps } from "../deps.ts";
import type { Streamed } from "../streamed-rows.ts";
import { pollPage } from "./poll.ts";

export async function pollProjectEvents(
  deps: Pick<ReadDeps, "store" | "streams">,
  _who: Principal,
  { params, query }: Input<typeof contract>,
): Promise<Streamed<Output<typeof contract>>> {
  return await pollPage(deps, { ...query, project_id: [params.project_id] });
}
