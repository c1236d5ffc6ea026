import type { unassignIssue as contract } from "../../contract/actions.ts";
import { decideUnassign } from "../../domain/issues.ts";
import { changeIssue } from "../change-issue.ts";
import type { Op } from "../deps.ts";

export const unassignIssue: Op<typeof contract> = async (deps, who, { params, body }) =>
  await changeIssue(deps, who, {
    params,
    actor: body.actor,
    decide: ({ issue }, act) => decideUnassign(issue, body.expected_owner, act),
  });
