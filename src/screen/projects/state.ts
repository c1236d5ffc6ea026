export interface ProjectsState {
  /** The line of the cursor; line 0 means all projects. */
  readonly cursor: number;
}

declare module "../state.ts" {
  interface ScreenStates {
    readonly projects: ProjectsState;
  }
}

export const INITIAL_PROJECTS: ProjectsState = { cursor: 0 };
