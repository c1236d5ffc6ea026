import type { claimIssue as contract } from "../../contract/actions.ts";
import { decideClaim } from "../../domain/issues.ts";
import { changeIssue } from "../change-issue.ts";
import type { Op } from "../deps.ts";

export const claimIssue: Op<typeof contract> = async (deps, who, { params, body }) => {
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
};
