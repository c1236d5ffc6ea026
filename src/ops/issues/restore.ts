import type { restoreIssue as contract } from "../../contract/removal.ts";
import { decideRestore } from "../../domain/issues.ts";
import { changeIssue } from "../change-issue.ts";
import type { Op } from "../deps.ts";

export const restoreIssue: Op<typeof contract> = async (deps, who, { params, body }) =>
  await changeIssue(deps, who, {
    params,
    deleted: true,
    actor: body.actor,
    decide: ({ issue }, act) => decideRestore(issue, act),
  });
