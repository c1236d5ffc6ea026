import type { unassignIssue as contract } from "../../contract/actions.ts";
import type { Input, Output } from "../../contract/route.ts";
import { decideUnassign } from "../../domain/issues.ts";
import type { Deps, Principal } from "../deps.ts";
import { changeIssue } from "./change.ts";

export async function unassignIssue(
  deps: Pick<Deps, "store">,
  who: Principal,
  { params, body }: Input<typeof contract>,
): Promise<Output<typeof contract>> {
  return await changeIssue(deps, who, {
    params,
    actor: body.actor,
    decide: ({ issue }, act) => decideUnassign(issue, body.expected_owner, act),
  });
}
