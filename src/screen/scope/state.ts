import type { Instant } from "../../base/clock.ts";

export interface Scope {
  /** The project that is shown; `undefined` if all projects are. */
  readonly project: { readonly id: number; readonly name: string } | undefined;
}

export interface ProjectItem {
  readonly uid: string;
  readonly id: number;
  readonly name: string;
  readonly open: number;
  readonly closed: number;
  readonly last: Instant | undefined;
  /**
   * Whether this is the inbox project (metadata `role: inbox`), which is for issues that belong to no other project.
   * There is at most one inbox project.
   */
  readonly isInbox?: boolean | undefined;
  /** The URL of its hub, if the project is a copy in which nothing can be changed. */
  readonly readOnlyCopyOf?: string | undefined;
}

/** A project that the page's address names and that does not exist or is archived. No issues are listed then. */
export interface MissingProject {
  readonly name: string;
  readonly isArchived: boolean;
}

/** The list of projects, and the project that is shown. */
export interface ScopeState extends Scope {
  readonly missing: MissingProject | undefined;
  readonly projects: readonly ProjectItem[];
}

export function initialScope({ project }: Scope = { project: undefined }): ScopeState {
  return { project, missing: undefined, projects: [] };
}
