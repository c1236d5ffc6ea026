import type {
  createFederationReplica,
  leaveFederationReplica,
  rebindFederationReplica,
  resyncFederationReplica,
} from "../../contract/federation-replicas.ts";
import type { Output } from "../../contract/route.ts";
import { agentOutput, header, line, row } from "../../shared/agent.ts";
import { oneLine } from "../../shared/text.ts";
import type { View } from "../output/output.ts";

const READS_ONLY = "The copy only reads: change issues on the hub.";
const READS_FIRST = "The copy reads the hub first, and can be changed after that.";
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
  pushes_once_read,
  actor,
}: Output<typeof createFederationReplica>["binding"]): string {
  if (!push_enabled && pushes_once_read !== true) return READS_ONLY;
  const sends = actor === undefined ? `${SENDS}.` : `${SENDS} in the name of ${oneLine(actor)}.`;
  return push_enabled ? sends : `${READS_FIRST} ${sends}`;
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

type Rebound = Output<typeof rebindFederationReplica>;

export const reboundView: View<Rebound> = {
  human: (moved, { quiet }) => (quiet ? "" : reboundText(moved)),
  agent: ({ project, old_origin, new_origin, state }, quiet) => {
    const fields = { project: project.name, state, from: old_origin, to: new_origin };
    return agentOutput(header("federation_rebound", fields), [], quiet);
  },
};

export const allReboundView: View<{ readonly copies: readonly Rebound[] }> = {
  human: ({ copies }, { quiet }) => {
    if (quiet) return "";
    return copies.length === 0 ? "no copy was moved" : copies.map(reboundText).join("\n");
  },
  agent: ({ copies }, quiet) => {
    const rows = copies.map(({ project, old_origin, new_origin, state }) =>
      row({ project: project.name, state, from: old_origin, to: new_origin }),
    );
    return agentOutput(header("federation_rebound", { count: copies.length }), rows, quiet);
  },
};

function reboundText({ project, old_origin, new_origin, state }: Rebound): string {
  const name = oneLine(project.name);
  if (state === "unchanged") return `${name} is at ${oneLine(new_origin)} already`;
  const moved = `${name} has moved from ${oneLine(old_origin)} to ${oneLine(new_origin)}`;
  return state === "resumed" ? `${moved}: an interrupted move is finished` : moved;
}
