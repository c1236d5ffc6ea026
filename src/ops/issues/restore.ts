import type { restoreIssue as contract } from "../../contract/removal.ts";
import type { Input, Output } from "../../contract/route.ts";
import { decideRestore } from "../../domain/issues.ts";
import type { Deps, Principal } from "../deps.ts";
import { changeIssue } from "./change.ts";

export async function restoreIssue(
  deps: Pick<Deps, "store">,
  who: Principal,
  { params, body }: Input<typeof contract>,
): Promise<Output<typeof contract>> {
  return await changeIssue(deps, who, {
    params,
    deleted: true,
    actor: body.actor,
    decide: ({ issue }, act) => decideRestore(issue, act),
  });
}
