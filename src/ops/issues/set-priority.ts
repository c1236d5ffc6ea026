import type { setIssuePriority as contract } from "../../contract/actions.ts";
import { decidePriority } from "../../domain/issues.ts";
import type { Op } from "../deps.ts";
import { changeIssue } from "./change.ts";

export const setIssuePriority: Op<typeof contract> = async (deps, who, { params, body }) =>
  await changeIssue(deps, who, {
    params,
    actor: body.actor,
    decide: ({ issue }, act) => decidePriority(issue, body.priority, act),
  });
