import type { pollProjectEvents as contract } from "../../contract/activity.ts";
import type { StreamOp } from "../deps.ts";
import { pollPage } from "./poll.ts";

export const pollProjectEvents: StreamOp<typeof contract> = async (
  deps,
  _who,
  { params, query, headers },
) => await pollPage(deps, { ...query, project_id: [params.project_id] }, headers);
