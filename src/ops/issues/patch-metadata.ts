import type { patchIssueMetadata as contract } from "../../contract/issues.ts";
import type { Input, Output } from "../../contract/route.ts";
import { checkRevision, decideMetadata } from "../../domain/issues.ts";
import { checkIssuePatch } from "../../domain/metadata.ts";
import type { Deps, Principal } from "../deps.ts";
import { ifMatchRevision } from "../guards.ts";
import { changeIssue } from "./change.ts";

export async function patchIssueMetadata(
  deps: Pick<Deps, "store">,
  who: Principal,
  { params, headers, body }: Input<typeof contract>,
): Promise<Output<typeof contract>> {
  const wanted = ifMatchRevision(headers["if-match"]);
  checkIssuePatch(body.patch);
  return await changeIssue(deps, who, {
    params,
    actor: body.actor,
    decide: ({ issue }, act) => {
      checkRevision("issue", issue.revision, wanted);
      return decideMetadata(issue, body.patch, act);
    },
  });
}
