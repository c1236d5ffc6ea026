import type { assignIssue as contract } from "../../contract/actions.ts";
import { decideAssign } from "../../domain/issues.ts";
import { changeIssue } from "../change-issue.ts";
import type { Op } from "../deps.ts";

export const assignIssue: Op<typeof contract> = async (deps, who, { params, body }) =>
  await changeIssue(deps, who, {
    params,
    actor: body.actor,
    decide: ({ issue }, act) => decideAssign(issue, body.owner, act),
  });
