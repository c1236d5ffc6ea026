import { isPlainObject, type JsonObject, type JsonValue } from "../../base/json.ts";
import { ProviderFault } from "../provider.ts";
import type { Endpoints } from "./endpoints.ts";
import { PARENT_QUERY } from "./parent-query.ts";

/** The only repository that may be requested with a credential. */
export interface GuardedPlace {
  readonly endpoints: Endpoints;
  readonly owner: string;
  readonly repo: string;
  /**
   * The number of the repository, which the host writes in the addresses of pages; absent until the host has told it.
   */
  readonly repo_id?: string;
}

/**
 * Checks an address that svc made or the host gave, and returns the address to request. Throws unless the address is
 * the address of the repository or below it (docs/contract/issue-sync.md#5-requests-to-the-host): https, exactly the
 * host of the interface, and a path in which nothing is encoded that could lead elsewhere. The returned path is built
 * from the checked parts.
 */
export function guardedUrl(place: GuardedPlace, address: string): string {
  const base = new URL(place.endpoints.rest);
  const [, authority = "", path = "", query = ""] = ADDRESS.exec(address) ?? [];
  const isHost = authority.toLowerCase() === base.host.toLowerCase();
  const segments = isHost ? segmentsOf(path) : undefined;
  const below = segments === undefined ? undefined : belowBase(segments, segmentsOf(base.pathname));
  const own = below === undefined ? undefined : belowRepository(below, place);
  if (own === undefined) throw outside();
  const parts = ["repos", place.owner, place.repo, ...own].map(encodeURIComponent);
  return `${place.endpoints.rest}/${parts.join("/")}${query}`;
}

/** Scheme, authority, path and query. The path may hold no backslash, blank or control character. */
const ADDRESS = /^https:\/\/([^\s/?#\\@]+)((?:\/[^\s/?#\\\p{Cc}]*)*)(\?[^\s#\p{Cc}]*)?$/u;

/** The decoded parts of a path; `undefined` if one of them could lead elsewhere. */
function segmentsOf(path: string): readonly string[] | undefined {
  if (path === "" || path === "/") return [];
  const segments: string[] = [];
  for (const part of path.slice(1).split("/")) {
    const plain = decoded(part);
    if (plain === undefined || plain === "" || plain === "." || plain === "..") return undefined;
    // A percent sign that is left would be decoded once more by a careless server.
    if (/[/\\%\p{Cc}]/u.test(plain)) return undefined;
    segments.push(plain);
  }
  return segments;
}

function decoded(part: string): string | undefined {
  try {
    return decodeURIComponent(part);
  } catch {
    return undefined;
  }
}

function belowBase(
  segments: readonly string[],
  base: readonly string[] = [],
): readonly string[] | undefined {
  return base.every((part, at) => part === segments[at]) ? segments.slice(base.length) : undefined;
}

/** The path below the repository, which is named by owner and name or by its number. */
function belowRepository(
  [kind, first, second, ...rest]: readonly string[],
  { owner, repo, repo_id }: GuardedPlace,
): readonly string[] | undefined {
  if (kind === "repositories" && repo_id !== undefined && first === repo_id)
    return second === undefined ? [] : [second, ...rest];
  return kind === "repos" && sameName(first, owner) && sameName(second, repo) ? rest : undefined;
}

/** Compares names as the host does, which ignores upper and lower case. */
function sameName(left: string | undefined, right: string): boolean {
  return left?.toLowerCase() === right.toLowerCase();
}

function outside(): ProviderFault {
  return new ProviderFault(
    "provider_http",
    "the host named an address outside of the repository, which svc does not ask",
    "tell the administrators of the host: its links between pages lead elsewhere",
  );
}

/** Throws unless the body is the one query that svc sends, about this repository. */
export function guardGraphql({ owner, repo }: GuardedPlace, body: string): void {
  const { query, variables } = objectIn(body);
  const values = isPlainObject(variables) ? variables : {};
  const isOurs = typeof query === "string" && squeezed(query) === squeezed(PARENT_QUERY);
  if (isOurs && values["owner"] === owner && values["repo"] === repo) return;
  throw outside();
}

function objectIn(body: string): JsonObject {
  const value = JSON.parse(body) as JsonValue;
  return isPlainObject(value) ? value : {};
}

function squeezed(text: string): string {
  return text.replaceAll(/\s+/g, " ").trim();
}
