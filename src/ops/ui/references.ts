import { SvcError } from "../../contract/errors.ts";
import type { Output } from "../../contract/route.ts";
import type { readUIReferences as contract } from "../../contract/ui-references.ts";
import { namesTag } from "../../domain/entity-tags.ts";
import { qualifiedId } from "../../domain/refs.ts";
import { textSearch } from "../../domain/text-part.ts";
import type { StoredIssue, StoredProject } from "../../store/types/rows.ts";
import type { Reader } from "../../store/types/store.ts";
import type { ReadDeps } from "../deps.ts";
import { isHidden } from "../out/issues.ts";
import { projectOut } from "../out/projects.ts";
import { allRows } from "../streamed-rows.ts";
import { Tagged } from "../tagged.ts";
import { Collection } from "./collection.ts";
import { answerTag, enveloped, type PageOp } from "./envelope.ts";
import { byName } from "./projects.ts";
import { type ReferencesRequest, referencesRequest } from "./references-request.ts";

type Lists = Pick<Output<typeof contract>, "projects" | "issues" | "owners" | "labels">;

/**
 * Reads the projects, issues, owners and labels that a page suggests while somebody types. If the request names uids,
 * reads the issues with these uids instead, so that the page can show their names.
 */
export const readUIReferences: PageOp<typeof contract> = async (
  deps,
  _who,
  { query, headers, envelope },
) => {
  const request = referencesRequest(query);
  return await deps.store.read(async (reader) => {
    const head = await reader.events.head();
    const tag = answerTag(request, head, envelope);
    if (namesTag(headers["if-none-match"], tag)) return new Tagged(tag);
    const lists =
      request.issue_uids.length > 0
        ? await listsOfUids(reader, request)
        : await offeredLists(deps, reader, request);
    return new Tagged(tag, { ...enveloped(envelope, head), ...lists });
  });
};

/** The issues with these uids that match the filters. Throws if any of the uids names no visible issue. */
async function listsOfUids(
  reader: Reader,
  { issue_uids, project_uid, q, limit }: ReferencesRequest,
): Promise<Lists> {
  const found = await reader.issues.many(issue_uids);
  const isThere = (issue: StoredIssue | undefined) => issue !== undefined && !isHidden(issue);
  const missing = issue_uids.filter((uid) => !isThere(found.get(uid)));
  if (missing.length > 0) {
    const message = `no issue ${missing[0]} here`;
    throw new SvcError("not_found", { issue_uid: missing }, { message });
  }
  const search = textSearch(q);
  const issues = [...found.values()].filter(
    (issue) =>
      (project_uid === undefined || issue.project_uid === project_uid) &&
      namesOf(issue).some(search.isIn),
  );
  const shown = issues.map(referenceOut).toSorted(byQualifiedId).slice(0, limit);
  return { projects: [], issues: shown, owners: [], labels: [] };
}

async function offeredLists(
  deps: Pick<ReadDeps, "smallWorkOnly">,
  reader: Reader,
  { project_uid, q, limit }: ReferencesRequest,
): Promise<Lists> {
  const search = textSearch(q);
  const isOffered = ({ uid }: StoredProject) => project_uid === undefined || uid === project_uid;
  const active = (await reader.projects.list(false)).filter(isOffered).toSorted(byName);
  if (active.length === 0) return { projects: [], issues: [], owners: [], labels: [] };
  const sought = {
    filter: {
      ...(project_uid === undefined ? {} : { project_uid }),
      ...(search.stable === "" ? {} : { contains: { text: search.stable, names: true as const } }),
    },
    ...(search.isWhole
      ? {}
      : { accepts: (issue: StoredIssue) => namesOf(issue).some(search.isIn) }),
  };
  const { smallWorkOnly } = deps;
  const needs = smallWorkOnly === undefined ? {} : { smallWorkOnly };
  const collection = new Collection(needs, reader, sought, limit);
  const issues = await allRows(collection.parts());
  const owners = (await reader.holders.owners(project_uid)).filter(search.isIn).toSorted();
  const labels = (await reader.labels.names(project_uid)).filter(search.isIn);
  return {
    projects: active
      .filter(({ name }) => search.isIn(name))
      .slice(0, limit)
      .map(projectOut),
    issues: issues.map(referenceOut).toSorted(byQualifiedId),
    owners: owners.slice(0, limit),
    labels: labels.slice(0, limit),
  };
}

function namesOf({ title, project_name, short_id }: StoredIssue): readonly string[] {
  return [title, qualifiedId(project_name, short_id)];
}

function referenceOut({ uid, project_uid, project_name, short_id, title, status }: StoredIssue) {
  const qualified_id = qualifiedId(project_name, short_id);
  return { uid, project_uid, project_name, short_id, qualified_id, title, status };
}

/** Compares two issues by their qualified ids. Never returns 0, since no two issues have the same qualified id. */
function byQualifiedId(
  left: { readonly qualified_id: string },
  right: { readonly qualified_id: string },
): number {
  return left.qualified_id < right.qualified_id ? -1 : 1;
}
