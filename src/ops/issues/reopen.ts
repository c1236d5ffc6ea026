import type { reopenIssue as contract } from "../../contract/actions.ts";
import { decideReopen } from "../../domain/issues.ts";
import { changeIssue } from "../change-issue.ts";
import type { Op } from "../deps.ts";

export const reopenIssue: Op<typeof contract> = async (deps, who, { params, body }) =>
  await changeIssue(deps, who, {
    params,
    actor: body.actor,
    decide: ({ issue }, act) => decideReopen(issue, act),
  });
