import type { health } from "../../contract/health.ts";
import type { Output } from "../../contract/route.ts";
import type { Actor } from "../../shared/actor.ts";
import { AGENT_FORMAT, agentOutput, header } from "../../shared/agent.ts";
import { oneLine } from "../../shared/text.ts";
import type { View } from "../output/output.ts";

type Health = Output<typeof health>;

export const guideView: View<{ readonly text: string }> = {
  human: ({ text }) => text,
  agent: ({ text }, quiet) =>
    quiet ? text : `${header("quickstart", { agent_format: AGENT_FORMAT })}\n${text}`,
};

export const whoamiView: View<Actor<string> & { readonly project: string | undefined }> = {
  human: ({ actor, source, project }) =>
    `actor=${oneLine(actor)} source=${source}${project === undefined ? "" : ` project=${oneLine(project)}`}`,
  agent: ({ actor, source, project }) => header("whoami", { actor, source, project }),
};

export interface Version {
  readonly name: string;
  readonly version: string;
  readonly node: string;
  readonly os: string;
  readonly arch: string;
  readonly commit: string;
  readonly built_at: string;
  readonly agent_format: number;
}

export const versionView: View<Version> = {
  human: ({ name, version, commit, built_at, node, os, arch }) => {
    const of = commit === "" ? "" : `, commit ${commit.slice(0, 12)}`;
    const built = built_at === "" ? "" : `, built ${built_at}`;
    return `${name} ${version} (Node ${node}, ${os} ${arch}${of}${built})`;
  },
  agent: ({ version, agent_format }) => header("version", { version, agent_format }),
};

export const healthView: View<Health> = {
  human: (found) => {
    const { ok, schema_version, uptime, db_path, embeddings } = found;
    const { backup, backup_verification: trial } = found;
    const last = backup === undefined ? "" : ` backup=${backupState(backup)}`;
    const tried = trial === undefined ? "" : ` backup_verified=${trialState(trial)}`;
    const meant = embeddings === undefined ? "" : ` embeddings=${embeddingsState(embeddings)}`;
    return `ok=${ok} schema_version=${schema_version} uptime=${uptime} db=${oneLine(db_path)}${last}${tried}${meant}`;
  },
  agent: ({ ok, backup, backup_verification: trial, embeddings }) =>
    header("health", {
      ok,
      daemon: ok ? "running" : "unhealthy",
      backup: backup === undefined ? undefined : backupState(backup),
      backup_verified: trial === undefined ? undefined : trialState(trial),
      embeddings: embeddings === undefined ? undefined : embeddingsState(embeddings),
    }),
};

function backupState({ last_at, failure }: NonNullable<Health["backup"]>): string {
  return failure === undefined ? (last_at ?? "none") : "failed";
}

function trialState({ state, at }: NonNullable<Health["backup_verification"]>): string {
  return state === "ok" ? (at ?? "ok") : state;
}

/** The number of issues in the index of meanings, and of those that are to be: `1200/1204`; `failing` after an error. */
function embeddingsState(state: NonNullable<Health["embeddings"]>): string {
  const { embedded, skipped, backlog, error_present } = state;
  return error_present ? "failing" : `${embedded}/${embedded + skipped + backlog}`;
}

export interface BindResult {
  readonly project: string;
  readonly workspace: string | undefined;
  readonly changed: boolean;
  readonly created: boolean;
  /** The project that has the default name. It was not joined, because it belongs to another repository. */
  readonly namesake?: string | undefined;
  /** Another repository or folder that uses the project that was joined. */
  readonly joined_with?: string | undefined;
}

export const initView: View<BindResult> = {
  human: ({ project, created }) =>
    `${created ? "created and bound" : "bound"} project ${oneLine(project)}`,
  agent: ({ project, workspace, changed, namesake, joined_with }, quiet) =>
    agentOutput(header("init", { project, workspace, changed, namesake, joined_with }), [], quiet),
};
