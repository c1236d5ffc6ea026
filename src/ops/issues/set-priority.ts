import type { setIssuePriority as contract } from "../../contract/actions.ts";
import { decidePriority } from "../../domain/issues.ts";
import { changeIssue } from "../change-issue.ts";
import type { Op } from "../deps.ts";

export const setIssuePriority: Op<typeof contract> = async (deps, who, { params, body }) =>
  await changeIssue(deps, who, {
    params,
    actor: body.actor,
    decide: ({ issue }, act) => decidePriority(issue, body.priority, act),
  });
