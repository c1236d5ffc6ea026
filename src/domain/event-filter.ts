import { EVENT_KINDS, type EventKind, isActivity } from "../contract/event-kinds.ts";

/** The events that a reader wants; an event must match every part that is given. */
export interface EventFilter {
  /** Uids of the projects whose feed shows the events. */
  readonly projects?: readonly string[];
  readonly types?: readonly EventKind[];
  readonly actors?: readonly string[];
  readonly issues?: FollowedIssues;
}

/**
 * Matches events about one of the issues, events that link to one of them, and events about a whole project that
 * contains one of them.
 */
export interface FollowedIssues {
  readonly uids: readonly string[];
  readonly projects: readonly string[];
}

/** The fields of an event that the filter tests. */
export interface EventFields {
  readonly type: string;
  readonly actor: string;
  /** The project whose feed shows the event. */
  readonly project_uid: string;
  readonly issue_uid?: string | undefined;
  readonly related_issue_uid?: string | undefined;
  /** For `project.merged`: the project that was merged away. */
  readonly merged_uid?: string | undefined;
}

/** Kinds that name no issue but change or hide all issues of their project. */
export const PROJECT_WIDE = [
  "project.removed",
  "project.restored",
  "project.merged",
  "project.author_rewritten",
] as const satisfies readonly EventKind[];

export function isWanted(filter: EventFilter, event: EventFields): boolean {
  const { projects, types, actors, issues } = filter;
  return (
    (projects === undefined || projects.includes(event.project_uid)) &&
    (types === undefined || types.some((type) => type === event.type)) &&
    (actors === undefined || actors.includes(event.actor)) &&
    (issues === undefined || concernsAny(issues, event))
  );
}

function concernsAny({ uids, projects }: FollowedIssues, event: EventFields): boolean {
  const { issue_uid, related_issue_uid, merged_uid } = event;
  if (issue_uid !== undefined && uids.includes(issue_uid)) return true;
  if (related_issue_uid !== undefined && uids.includes(related_issue_uid)) return true;
  if (!PROJECT_WIDE.some((type) => type === event.type)) return false;
  return (
    projects.includes(event.project_uid) ||
    (merged_uid !== undefined && projects.includes(merged_uid))
  );
}

/**
 * Updates the filter after an event: an issue that moves, or is merged away with its project, is followed to its new
 * project.
 */
export function followed(filter: EventFilter, event: EventFields): EventFilter {
  const { issues } = filter;
  if (issues === undefined || issues.projects.includes(event.project_uid)) return filter;
  const { uids, projects } = issues;
  const { type, project_uid, issue_uid = "", merged_uid = "" } = event;
  const came =
    (type === "issue.moved" && uids.includes(issue_uid)) || projects.includes(merged_uid);
  return came ? { ...filter, issues: { uids, projects: [...projects, project_uid] } } : filter;
}

const KINDS = (Object.keys(EVENT_KINDS) as readonly EventKind[]).filter(isActivity);

/**
 * Returns the kinds that a text names, such as `issue.created`. `issue.*` names all kinds that start with `issue.`. An
 * unknown name gives an empty list.
 */
export function kindsNamed(text: string): readonly EventKind[] {
  if (!text.endsWith(".*")) return KINDS.filter((kind) => kind === text);
  const start = text.slice(0, -1);
  return KINDS.filter((kind) => kind.startsWith(start));
}

/** The uid of the project that shows the event; after a merge this is not the project in which it was written. */
export function feedOf({
  feed_uid,
  project_uid,
}: {
  readonly feed_uid?: string | undefined;
  readonly project_uid: string;
}): string {
  return feed_uid ?? project_uid;
}
