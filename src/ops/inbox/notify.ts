import type { notifyIssue as contract } from "../../contract/inbox.ts";
import { decideNotify } from "../../domain/inbox/request.ts";
import type { Op } from "../deps.ts";
import { changeIssue } from "../issues/change.ts";

export const notifyIssue: Op<typeof contract> = async (deps, who, { params, body }) => {
  const { to, message, teammate, actor } = body;
  return await changeIssue(deps, who, {
    params,
    actor,
    decide: ({ issue }, act) => decideNotify(issue, to, { message, teammate }, act),
  });
};
