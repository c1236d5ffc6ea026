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
}

/** A project that the page's address names and that does not exist or is archived. No issues are listed then. */
export interface MissingProject {
  readonly name: string;
  readonly isArchived: boolean;
}

export interface ProjectsState {
  readonly scope: Scope;
  readonly missing: MissingProject | undefined;
  readonly all: readonly ProjectItem[];
  /** The line of the cursor; line 0 stands for all projects. */
  readonly cursor: number;
}

declare module "../state.ts" {
  interface ScreenStates {
    readonly projects: ProjectsState;
  }
}

export function initialProjects(scope: Scope = { project: undefined }): ProjectsState {
  return { scope, missing: undefined, all: [], cursor: 0 };
}
