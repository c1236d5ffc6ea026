import { canonicalJson, type JsonObject, type JsonValue } from "../../base/json.ts";
import type { patchIssueMetadata } from "../../contract/issues.ts";
import type { patchProjectMetadata } from "../../contract/project-actions.ts";
import type { Output } from "../../contract/route.ts";
import { agentOutput, header, line } from "../../shared/agent.ts";
import { manyLines, oneLine } from "../../shared/text.ts";
import type { View } from "../output/output.ts";
import { changedIssue } from "./changes.ts";
import { sentenceView } from "./sentence.ts";

export function metaChangedView(verb: "set" | "unset", key: string) {
  return sentenceView<Output<typeof patchIssueMetadata>>(
    `meta ${verb}`,
    ({ issue, changed }, { paint }) =>
      `meta ${verb} ${paint("id", issue.short_id)} ${oneLine(key)} rev-${issue.revision}${changed ? "" : " (no-op)"}`,
    ({ issue, changed }) => ({ issue: issue.short_id, key, revision: issue.revision, changed }),
    changedIssue,
  );
}

interface Meta {
  readonly ref: string;
  readonly revision: number;
  readonly metadata: JsonObject;
}

export const metaView: View<Meta> = {
  human: ({ metadata }) => {
    const keys = Object.keys(metadata).sort();
    if (keys.length === 0) return "no metadata";
    return keys.map((key) => `${oneLine(key)} = ${json(metadata[key] ?? null)}`).join("\n");
  },
  agent: ({ ref, revision, metadata }, quiet) => {
    const keys = Object.keys(metadata).sort();
    const rows = keys.flatMap((key) => line(oneLine(key), json(metadata[key] ?? null)));
    return agentOutput(header("meta", { issue: ref, revision, count: keys.length }), rows, quiet);
  },
};

interface MetaValue {
  readonly ref: string;
  readonly revision: number;
  readonly key: string;
  readonly value: JsonValue;
}

/** For people, a text is printed without quotes, so that a shell can use it. */
export const metaValueView: View<MetaValue> = {
  human: ({ value }) => (typeof value === "string" ? manyLines(value) : json(value)),
  agent: ({ ref, revision, key, value }, quiet) =>
    agentOutput(header("meta", { issue: ref, revision, key }), line("Value", json(value)), quiet),
};

function json(value: JsonValue): string {
  return oneLine(canonicalJson(value));
}

export const projectMetaView = sentenceView<Output<typeof patchProjectMetadata>>(
  "projects meta",
  ({ project, changed }) =>
    `meta of ${oneLine(project.name)} rev-${project.revision}${changed ? "" : " (no-op)"}`,
  ({ project, changed }) => ({ project: project.name, revision: project.revision, changed }),
);
