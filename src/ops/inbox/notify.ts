import type { notifyIssue as contract } from "../../contract/inbox.ts";
import type { Input, Output } from "../../contract/route.ts";
import { decideNotify } from "../../domain/inbox/request.ts";
import type { Deps, Principal } from "../deps.ts";
import { changeIssue } from "../issues/change.ts";

export async function notifyIssue(
  deps: Pick<Deps, "store">,
  who: Principal,
  { params, body }: Input<typeof contract>,
): Promise<Output<typeof contract>> {
  const { to, message, teammate, actor } = body;
  return await changeIssue(deps, who, {
    params,
    actor,
    decide: ({ issue }, act) => decideNotify(issue, to, { message, teammate }, act),
  });
}
