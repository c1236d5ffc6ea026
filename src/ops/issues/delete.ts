import type { deleteIssue as contract } from "../../contract/removal.ts";
import { deleteConfirmation } from "../../domain/confirm.ts";
import { decideDelete } from "../../domain/issues.ts";
import { qualifiedId } from "../../domain/refs.ts";
import { changeIssue } from "../change-issue.ts";
import { requireConfirm } from "../confirm.ts";
import type { Op } from "../deps.ts";

/**
 * Soft-deletes an issue: it is hidden until it is restored, and its status is kept
 * (docs/contract/http-api.md#61-life-of-an-issue).
 */
export const deleteIssue: Op<typeof contract> = async (deps, who, { params, headers, body }) =>
  await changeIssue(deps, who, {
    params,
    deleted: true,
    actor: body.actor,
    decide: ({ project, issue }, act) => {
      const name = qualifiedId(project.name, issue.short_id);
      requireConfirm(headers["x-svc-confirm"], deleteConfirmation(name));
      return decideDelete(issue, body.reason, act);
    },
  });
