import type { restoreIssue as contract } from "../../contract/removal.ts";
import { decideRestore } from "../../domain/issues.ts";
import type { Op } from "../deps.ts";
import { changeIssue } from "./change.ts";

export const restoreIssue: Op<typeof contract> = async (deps, who, { params, body }) =>
  await changeIssue(deps, who, {
    params,
    deleted: true,
    actor: body.actor,
    decide: ({ issue }, act) => decideRestore(issue, act),
  });
