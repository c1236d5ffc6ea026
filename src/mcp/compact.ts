import type { ToolEntry } from "./entry.ts";

/**
 * Returns the entry of a tool for `--compact`, for hosts where every definition costs the user tokens. The entry has no
 * schema of the answer, no title, and only one sentence as description. It has no descriptions of properties whose
 * names say enough, and no limits of lengths, which the server checks anyway. The annotations stay.
 */
export function compacted({ name, description, annotations, inputSchema }: ToolEntry): ToolEntry {
  const brief = BRIEF_DESCRIPTIONS[name] ?? firstSentence(description);
  return { name, description: brief, annotations, inputSchema: withoutLengths(inputSchema) };
}

/** One-sentence descriptions for tools whose first sentence alone does not tell enough for a first call. */
const BRIEF_DESCRIPTIONS: Readonly<Record<string, string>> = {
  "svc.close":
    "Closes an issue; wontfix needs a message of 60 characters, done one of 40 and evidence: commit with sha, pr with url, test with command, reviewed-paths with paths or external with account.",
  "svc.federation_leave":
    "Ends the copying of a project, in three calls: preflight, prepare, commit; a commit without the hub's agreement needs force and confirm.",
};

function firstSentence(text: string): string {
  return /^.*?\.(?=$| )/.exec(text)?.[0] ?? text;
}

/** Properties that need no description, because their name and schema say enough. */
const NAMED_WELL: ReadonlySet<string> = new Set([
  ...["ref", "refs", "project", "limit", "cursor", "labels", "exclude_labels", "label", "owner"],
  ...["unowned", "revision", "idempotency_key", "title", "body", "parent", "blocks", "blocked_by"],
  ...["related", "timezone", "query", "reason", "message", "evidence", "type", "sha", "url"],
  ...["command", "paths", "account", "rationale", "issue_ref", "dry_run", "comment_ref"],
  ...["to_project", "any", "timeout_seconds", "actor", "no_evidence", "hide_done"],
]);
const CHANGE = /^(?:clear|remove|add)_/;

const LENGTHS: ReadonlySet<string> = new Set(["minLength", "maxLength", "minItems", "maxItems"]);

interface Schema {
  readonly [member: string]: unknown;
}

function withoutLengths<S extends Schema>(schema: S): S {
  const kept = Object.entries(schema).flatMap(([key, value]) => {
    if (LENGTHS.has(key)) return [];
    if (key === "properties") return [[key, plainProperties(value as Schema)]];
    return [[key, isSchema(value) ? withoutLengths(value) : value]];
  });
  return Object.fromEntries(kept) as S;
}

function plainProperties(properties: Schema): Schema {
  const named = Object.entries(properties).map(([name, value]) => {
    const property = withoutLengths(value as Schema);
    if (!NAMED_WELL.has(name) && !CHANGE.test(name)) return [name, property];
    const { description: _said, ...rest } = property;
    return [name, rest];
  });
  return Object.fromEntries(named) as Schema;
}

function isSchema(value: unknown): value is Schema {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
