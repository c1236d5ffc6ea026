import type {
  createFederationReplica,
  leaveFederationReplica,
  resyncFederationReplica,
} from "../../contract/federation-replicas.ts";
import type { Output } from "../../contract/route.ts";
import { agentOutput, header, line } from "../../shared/agent.ts";
import { oneLine } from "../../shared/text.ts";
import type { View } from "../output/output.ts";

const READS_ONLY = "The copy only reads: change issues on the hub.";
const SENDS = "Changes made here are sent to the hub";

export const joinedView: View<Output<typeof createFederationReplica>> = {
  human: ({ project, binding }, { quiet }) => {
    if (quiet) return "";
    return [
      `${oneLine(project.name)} is a copy of the project ${binding.hub_project_id} of ${oneLine(binding.hub_url)}`,
      `${modeOf(binding)} svc federation status shows how far it is.`,
    ].join("\n");
  },
  agent: ({ project, binding }, quiet) => {
    const fields = { hub: binding.hub_url, hub_project_id: binding.hub_project_id };
    const head = header("federation_joined", { project: project.name, ...fields });
    return agentOutput(head, line("Note", modeOf(binding)), quiet);
  },
};

function modeOf({
  push_enabled,
  actor,
}: Output<typeof createFederationReplica>["binding"]): string {
  if (!push_enabled) return READS_ONLY;
  return actor === undefined ? `${SENDS}.` : `${SENDS} in the name of ${oneLine(actor)}.`;
}

export const resyncedView: View<Output<typeof resyncFederationReplica>> = {
  human: ({ project, binding }, { quiet }) =>
    quiet
      ? ""
      : `${oneLine(project.name)} is read anew from ${oneLine(binding.hub_url)}: svc federation status shows how far`,
  agent: ({ project, binding }, quiet) => {
    const fields = { hub: binding.hub_url, hub_project_id: binding.hub_project_id };
    return agentOutput(
      header("federation_resync", { project: project.name, ...fields }),
      [],
      quiet,
    );
  },
};

export const leftView: View<Output<typeof leaveFederationReplica>> = {
  human: ({ project, detached, archived }, { quiet }) => {
    if (quiet) return "";
    const name = oneLine(project.name);
    const left = detached
      ? `${name} has left its hub, and is an ordinary project`
      : `${name} had left its hub before`;
    return archived === true ? `${left}. It is archived.` : left;
  },
  agent: ({ project, detached, archived, disposition }, quiet) => {
    const fields = { project: project.name, detached, disposition, archived };
    return agentOutput(header("federation_left", fields), [], quiet);
  },
};
