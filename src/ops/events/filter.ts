import type { pollEvents } from "../../contract/activity.ts";
import { SvcError } from "../../contract/errors.ts";
import type { EventKind } from "../../contract/events.ts";
import type { Input } from "../../contract/route.ts";
import { type EventFilter, kindsNamed } from "../../domain/event-filter.ts";
import { parseRef } from "../../domain/refs.ts";
import type { StoredIssue, StoredProject } from "../../store/types/rows.ts";
import type { Reader } from "../../store/types/store.ts";
import { issueNamed, noIssue, requireProject } from "../find.ts";

export type EventQuery = Pick<
  Input<typeof pollEvents>["query"],
  "project_id" | "issue" | "type" | "actor"
>;

/**
 * Converts a query to a filter of events. Names become uids, so that the filter still matches an issue after it has
 * moved.
 */
export async function eventFilterOf(
  reader: Reader,
  { project_id, issue, type, actor }: EventQuery,
): Promise<EventFilter> {
  const projects: StoredProject[] = [];
  for (const id of project_id ?? []) projects.push(await requireProject(reader, id));
  const issues = new Map<string, StoredIssue>();
  for (const ref of issue ?? []) {
    const found = await requireAnywhere(reader, ref, projects);
    issues.set(found.uid, found);
  }
  const homes = new Set([...issues.values()].map(({ project_uid }) => project_uid));
  return {
    ...(project_id === undefined ? {} : { projects: projects.map(({ uid }) => uid) }),
    ...(issue === undefined ? {} : { issues: { uids: [...issues.keys()], projects: [...homes] } }),
    ...(type === undefined ? {} : { types: kindsOf(type) }),
    ...(actor === undefined ? {} : { actors: actor }),
  };
}

/**
 * Finds an issue of any project by uid or `project#short_id`. If the filter names exactly one project, also finds its
 * issues by short id or by their id in the tracker from which they were imported. Deleted issues count, since they have
 * events.
 */
async function requireAnywhere(
  reader: Reader,
  text: string,
  scope: readonly StoredProject[],
): Promise<StoredIssue> {
  const ref = parseRef(text);
  if (ref?.kind === "uid") return (await reader.issues.find(ref.uid)) ?? refuseUnknownIssue(text);
  const hash = text.lastIndexOf("#");
  const named = hash > 0 ? await reader.projects.findByName(text.slice(0, hash)) : undefined;
  const [only, ...more] = scope;
  const own = ref?.kind !== "qualified" && more.length === 0 ? only : undefined;
  const project = named ?? own;
  if (project === undefined || project.deleted_at !== null) return refuseUnknownIssue(text);
  return (await issueNamed(reader, project, ref?.short_id, text)) ?? refuseUnknownIssue(text);
}

function refuseUnknownIssue(text: string): never {
  throw noIssue(text);
}

function kindsOf(texts: readonly string[]): readonly EventKind[] {
  return [
    ...new Set(
      texts.flatMap((text) => {
        const kinds = kindsNamed(text);
        if (kinds.length > 0) return kinds;
        const message = `type: ${JSON.stringify(text)} is no kind of event, such as issue.closed or issue.*`;
        throw new SvcError("validation", { field: "type" }, { message });
      }),
    ),
  ];
}
