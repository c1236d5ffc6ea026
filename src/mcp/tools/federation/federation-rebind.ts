import { z } from "zod";
import { rebindFederationReplica } from "../../../contract/federation-replicas.ts";
import * as inputs from "../../inputs.ts";
import { CHANGES, tool } from "../../tool.ts";

export const federationRebind = tool({
  name: "svc.federation_rebind",
  title: "Rebind replica",
  description:
    "Moves a copy of a project to another address of its hub. Needs a server with --all-projects.",
  annotations: { ...CHANGES, openWorldHint: true },
  input: z.strictObject({
    project: inputs.project,
    hub_catalog: z.string().min(1).max(256).describe("name of the hub in the configuration"),
  }),
  output: z.strictObject({
    result: z.record(z.string(), z.unknown()),
  }),
  async run({ project, hub_catalog }, { scope, call }) {
    scope.requireAll("svc.federation_rebind");
    const { id: project_id } = await scope.project(project);
    const body = { hub_catalog };
    return { result: await call(rebindFederationReplica, { params: { project_id }, body }) };
  },
});
