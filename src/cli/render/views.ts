/** The files of views; one is loaded when a command prints its result in a form other than JSON. */
export const VIEWS = {
  archive: () => import("./archive.ts"),
  audit: () => import("./audit.ts"),
  changes: () => import("./changes.ts"),
  "critical-path": () => import("./critical-path.ts"),
  cron: () => import("./cron.ts"),
  daemon: () => import("./daemon.ts"),
  demo: () => import("./demo.ts"),
  digest: () => import("./digest.ts"),
  doctor: () => import("./doctor.ts"),
  events: () => import("./events.ts"),
  graph: () => import("./graph.ts"),
  holders: () => import("./holders.ts"),
  inbox: () => import("./inbox.ts"),
  labels: () => import("./labels.ts"),
  leases: () => import("./leases.ts"),
  list: () => import("./list.ts"),
  log: () => import("./log.ts"),
  meta: () => import("./meta.ts"),
  plan: () => import("./plan.ts"),
  planning: () => import("./planning.ts"),
  postgres: () => import("./postgres.ts"),
  "project-actions": () => import("./project-actions.ts"),
  projects: () => import("./projects.ts"),
  recurrences: () => import("./recurrences.ts"),
  removal: () => import("./removal.ts"),
  runs: () => import("./runs.ts"),
  search: () => import("./search.ts"),
  show: () => import("./show.ts"),
  system: () => import("./system.ts"),
  undo: () => import("./undo.ts"),
  wait: () => import("./wait.ts"),
  why: () => import("./why.ts"),
};

export type ViewFile = keyof typeof VIEWS;

export type Views<F extends ViewFile> = Awaited<ReturnType<(typeof VIEWS)[F]>>;
