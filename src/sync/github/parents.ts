import { isPlainObject, type JsonObject, type JsonValue } from "../../base/json.ts";
import type { RemoteKeys, RemoteLink, RemoteParent } from "../../domain/issue-sync/remote-issue.ts";
import { ProviderFault } from "../provider.ts";
import type { GithubClient } from "./client.ts";
import { PARENT_QUERY } from "./parent-query.ts";
import type { Progress } from "./progress.ts";
import { idText, keysOf } from "./rows.ts";

/**
 * Reads the parent of every issue of the repository. Returns `undefined` if the host does not support parents
 * (docs/contract/issue-sync.md#7-parents). Throws if the host gives a part only, since an issue that is left out would
 * look as if it had no parent.
 */
export async function readParents(
  client: GithubClient,
  remote_id: string,
  progress: Progress,
): Promise<ReadonlyMap<number, RemoteLink> | undefined> {
  const links = new Map<number, RemoteLink>();
  const waits = client.waits();
  let after: string | undefined;
  for (;;) {
    const answer = await client.graphql(PARENT_QUERY, after, waits);
    const errors = answer["errors"];
    if (errors !== undefined) {
      if (saysNoParents(errors)) return undefined;
      throw incomplete("answered with errors");
    }
    const issues = inside(inside(answer["data"], "repository"), "issues");
    const { nodes, pageInfo } = issues;
    if (!Array.isArray(nodes)) throw incomplete("gave no list of issues");
    for (const node of nodes) {
      const link = linkOf(node, remote_id);
      links.set(link.number, link);
    }
    progress.add({ scanned: nodes.length });
    const { hasNextPage, endCursor } = isPlainObject(pageInfo) ? pageInfo : {};
    if (hasNextPage === false) return links;
    if (typeof endCursor !== "string" || endCursor === "" || endCursor === after)
      throw incomplete("gave a page that does not lead to the next one");
    after = endCursor;
  }
}

function inside(value: JsonValue | undefined, name: string): JsonObject {
  const inner = isPlainObject(value) ? value[name] : undefined;
  return isPlainObject(inner) ? inner : {};
}

function linkOf(node: JsonValue, remote_id: string): RemoteLink {
  const { number, keys } = namesOf(node);
  const parent = isPlainObject(node) ? node["parent"] : undefined;
  return { number, keys, parent: parentOf(parent, remote_id) };
}

function parentOf(value: JsonValue | undefined, remote_id: string): RemoteParent {
  if (value === null) return { kind: "none" };
  if (value === undefined) throw incomplete("left out the parent of an issue");
  const { keys } = namesOf(value);
  const repository = inside(value, "repository");
  return repository["id"] === remote_id ? { kind: "issue", keys } : { kind: "unknown" };
}

function namesOf(value: JsonValue): { readonly number: number; readonly keys: RemoteKeys } {
  const { number, fullDatabaseId, id } = isPlainObject(value) ? value : {};
  if (typeof number !== "number" || idText(fullDatabaseId) === undefined)
    throw incomplete("left out the number of an issue");
  return { number, keys: keysOf(number, fullDatabaseId, id) };
}

const FIELDS = new Set(["parent", "databaseId", "fullDatabaseId"]);

/**
 * Whether all errors say that a field is not in the schema of the host. GitHub names the field and a code; other
 * servers say it in one of the usual sentences.
 */
function saysNoParents(errors: JsonValue): boolean {
  return Array.isArray(errors) && errors.length > 0 && errors.every(isUnknownField);
}

function isUnknownField(error: JsonValue): boolean {
  if (!isPlainObject(error)) return false;
  const { message, extensions } = error;
  const { code, fieldName } = isPlainObject(extensions) ? extensions : {};
  if (code === "undefinedField") return typeof fieldName === "string" && FIELDS.has(fieldName);
  const text = typeof message === "string" ? message : "";
  const [, one, other] = UNKNOWN_FIELD.exec(text) ?? [];
  return FIELDS.has(one ?? other ?? "");
}

const UNKNOWN_FIELD =
  /^(?:Field ['"](\w{1,40})['"] doesn['’]t exist on type|Cannot query field ['"](\w{1,40})['"] on type) ['"]Issue['"]/;

function incomplete(what: string): ProviderFault {
  return new ProviderFault(
    "parent_scan",
    `the parents of the issues could not be read: the host ${what}`,
    "nothing has to be done: the next run tries again; if it stays, check that the credential may read issues",
  );
}
