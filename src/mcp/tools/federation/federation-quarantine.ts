import { z } from "zod";
import {
  listFederationQuarantine,
  retryFederationQuarantine,
  showFederationQuarantine,
  skipFederationQuarantine,
} from "../../../contract/federation-quarantine.ts";
import { retryConfirmation, skipConfirmation } from "../../../domain/confirm.ts";
import { requireConfirmation } from "../../confirmed.ts";
import { ToolError } from "../../failure.ts";
import * as inputs from "../../inputs.ts";
import { ProjectIdentity } from "../../objects.ts";
import { CHANGES, type ToolContext, tool } from "../../tool.ts";
import { HIDDEN_ERROR } from "./reach.ts";

/** A quarantined batch, in the form of the daemon's answer. */
const Row = () => z.looseObject({});

export const federationQuarantine = tool({
  name: "svc.federation_quarantine",
  title: "Quarantined batches",
  description:
    "Changes that the hub of a copy refused. retry sends them again; skip takes them back here too, for good.",
  annotations: { ...CHANGES, openWorldHint: true },
  input: z.strictObject({
    project: inputs.project,
    action: z.enum(["list", "show", "retry", "skip"]).describe("what to do"),
    id: z.int().min(1).optional().describe("the batch"),
    confirm: z.string().optional().describe("RETRY FEDERATION BATCH <id>, or SKIP …"),
    reason: inputs.reason.optional(),
  }),
  output: z.strictObject({
    project: ProjectIdentity,
    quarantines: z.array(Row()),
  }),
  async run({ project: name, action, id, confirm, reason }, context) {
    const { scope, actor } = context;
    const found = await scope.project(name);
    const project = { id: found.id, uid: found.uid, name: found.name };
    if (action === "list") return { project, ...(await listed(found.id, context)) };
    if (id === undefined) throw new ToolError(`id is required for ${action}`);
    if (action === "show") return { project, ...(await shown(found.id, id, context)) };
    const expected = action === "retry" ? retryConfirmation(id) : skipConfirmation(id);
    requireConfirmation(confirm, expected);
    const request = {
      params: { project_id: found.id, quarantine_id: id },
      headers: { "x-svc-confirm": expected },
      body: { actor, ...(reason === undefined ? {} : { reason }) },
    };
    const quarantine =
      action === "retry"
        ? await context.call(retryFederationQuarantine, request)
        : await context.call(skipFederationQuarantine, request);
    return { project, quarantines: [seen(quarantine, scope.isLimited)] };
  },
});

async function listed(project_id: number, { scope, call }: ToolContext) {
  const { quarantines } = await call(listFederationQuarantine, { params: { project_id } });
  return { quarantines: quarantines.map((one) => seen(one, scope.isLimited)) };
}

async function shown(project_id: number, quarantine_id: number, { scope, call }: ToolContext) {
  const params = { project_id, quarantine_id };
  const { quarantine, events } = await call(showFederationQuarantine, { params });
  return { quarantines: [{ ...seen(quarantine, scope.isLimited), events }] };
}

/**
 * Hides the hub's error if the server reaches only some projects: the error may be about others
 * (docs/contract/tools.md#87-federation).
 */
function seen<T extends { readonly error: string; readonly detail?: string | undefined }>(
  batch: T,
  isLimited: boolean,
) {
  const { detail, ...rest } = batch;
  if (isLimited) return { ...rest, error: HIDDEN_ERROR };
  return detail === undefined ? rest : { ...rest, detail };
}
