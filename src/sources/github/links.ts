import { isPlainObject, type JsonObject, type JsonValue } from "../../base/json.ts";
import { githubFileId } from "../../domain/issue-sync/github.ts";
import type { SourceLink } from "../neutral/record.ts";

/** The fields that contain other issues, and the kind of link that each field means. */
const KINDS: Readonly<Record<string, string>> = {
  parent: "parent",
  parent_issue_url: "parent",
  subIssues: "sub-issue",
  blockedBy: "blocked by",
  blocking: "blocking",
};

/** The links of an issue to other issues of its repository; `undefined` if the export has no field with links. */
export function linksOf(from: string, fields: JsonObject): readonly SourceLink[] | undefined {
  if (Object.keys(KINDS).every((name) => fields[name] === undefined)) return undefined;
  const repository = repositoryOf(fields);
  return Object.entries(KINDS).flatMap(([name, kind]) =>
    entriesOf(fields[name]).flatMap((entry) => {
      const to = peerOf(entry, repository);
      return to === undefined ? [] : [{ from, to, kind }];
    }),
  );
}

/** Whether a field with links names an issue of another repository. */
export function pointsElsewhere(value: JsonValue, fields: JsonObject): boolean {
  const repository = repositoryOf(fields);
  return entriesOf(value).some((entry) => peerOf(entry, repository) === undefined);
}

/** Whether `gh` left out issues of this field: it writes at most 50 of them, together with their total number. */
export function isCut(value: JsonValue): boolean {
  const total = isPlainObject(value) ? value["totalCount"] : undefined;
  return typeof total === "number" && total > entriesOf(value).length;
}

/** The `owner/repo` of an issue, taken from its address. */
export function repositoryOf(fields: JsonObject): string | undefined {
  return addressOf(fields)?.[0];
}

/** The entries of a field: a list, an object `{ nodes: … }` as in GraphQL, or a single entry. */
function entriesOf(value: JsonValue | undefined): readonly JsonValue[] {
  if (value === undefined || value === null) return [];
  if (Array.isArray(value)) return value;
  const nodes = isPlainObject(value) ? value["nodes"] : undefined;
  return Array.isArray(nodes) ? nodes : [value];
}

const ADDRESS = /\/([^/]+\/[^/]+)\/issues\/(\d+)$/;

function addressOf(entry: JsonValue): readonly [repository: string, number: string] | undefined {
  const named = isPlainObject(entry) ? (entry["html_url"] ?? entry["url"]) : entry;
  return issueAt(typeof named === "string" ? named : undefined);
}

/**
 * Returns the repository and the number in the address of an issue's page, or in its address in the REST API. Returns
 * `undefined` for any other address.
 */
export function issueAt(
  address: string | undefined,
): readonly [repository: string, number: string] | undefined {
  const [, repository, number] = ADDRESS.exec(address ?? "") ?? [];
  return repository === undefined || number === undefined ? undefined : [repository, number];
}

function peerOf(entry: JsonValue, own: string | undefined): string | undefined {
  const [repository, number] = addressOf(entry) ?? [];
  if (repository !== undefined && number !== undefined) {
    return repository === own ? githubFileId(number) : undefined;
  }
  const alone = isPlainObject(entry) ? entry["number"] : undefined;
  return typeof alone === "number" ? githubFileId(alone) : undefined;
}
