import type { claimIssue as contract } from "../../contract/actions.ts";
import type { Input, Output } from "../../contract/route.ts";
import { decideClaim } from "../../domain/issues.ts";
import type { Deps, Principal } from "../deps.ts";
import { changeIssue } from "./change.ts";

export async function claimIssue(
  deps: Pick<Deps, "store">,
  who: Principal,
  { params, body }: Input<typeof contract>,
): Promise<Output<typeof contract>> {
  const terms = { force: body.force === true, ifUnowned: body.if_unowned === true };
  let previous: string | null = null;
  const result = await changeIssue(deps, who, {
    params,
    actor: body.actor,
    decide: ({ issue }, act) => {
      previous = issue.owner;
      return decideClaim(issue, terms, act);
    },
  });
  return {
    ...result,
    events: result.event === null ? [] : [result.event],
    ...(result.changed && previous !== null ? { previous_owner: previous } : {}),
  };
}
