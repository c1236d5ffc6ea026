import type { KeyTable } from "../keys.ts";

export const PROJECTS_KEYS = {
  everywhere: {
    projects: { keys: ["5", "P"], label: "projects: one of them, or all" },
  },
  projects: {
    "project-choose": { keys: ["enter"], label: "show this project", word: "enter show" },
    "project-new": { keys: ["n"], label: "new project", word: "n new" },
  },
} as const satisfies KeyTable;

declare module "../keys.ts" {
  interface KeyTables {
    readonly projects: typeof PROJECTS_KEYS;
  }
}
