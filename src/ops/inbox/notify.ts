import type { notifyIssue as contract } from "../../contract/inbox.ts";
import { decideNotify } from "../../domain/inbox/request.ts";
import type { StoredIssue } from "../../store/types/rows.ts";
import type { Tx } from "../../store/types/store.ts";
import { changeIssue } from "../change-issue.ts";
import type { Op } from "../deps.ts";
import { requestOn } from "./askers.ts";

export const notifyIssue: Op<typeof contract> = async (deps, who, { params, body }) => {
  const { to, message, teammate, actor } = body;
  let replaced: Awaited<ReturnType<typeof requestTo>>;
  const changed = await changeIssue(deps, who, {
    params,
    actor,
    decide: async ({ issue }, act, tx) => {
      const decided = decideNotify(issue, to, { message, teammate }, act);
      replaced = await requestTo(tx, issue, to);
      return decided;
    },
  });
  return { ...changed, ...(replaced === undefined ? {} : { replaced }) };
};

/**
 * Returns the request on this issue to the address `to`; `undefined` if there is none or if its metadata is not a valid
 * request.
 */
async function requestTo(tx: Tx, issue: StoredIssue, to: string) {
  const { request, written } = await requestOn(tx, issue, to);
  if (request === undefined) return undefined;
  return {
    ...request,
    ...(written === undefined ? {} : { event_uid: written.uid, requested_at: written.created_at }),
  };
}
