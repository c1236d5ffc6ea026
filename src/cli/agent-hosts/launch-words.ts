import { resolve } from "node:path";
import { usage } from "../failure/failure.ts";
import type { Globals } from "../flags/flags.ts";
import { projectNames } from "../session/project-names.ts";
import type { Host, Scope } from "./hosts.ts";

export interface ReachFlags {
  readonly projects?: string | undefined;
  readonly "all-projects": boolean;
}

interface LaunchSelection {
  readonly globals: Globals;
  readonly flags: ReachFlags;
  readonly cwd: string;
  /** The project that a flag or `SVC_PROJECT` names. */
  readonly project: string | undefined;
}

/**
 * Returns the arguments of `svc mcp serve` that select the project, the daemon and the actor. They must name a project
 * or folder if the host may start the server outside of the project's folder.
 */
export function launchWords(
  host: Host,
  scope: Scope,
  selection: LaunchSelection,
): readonly string[] {
  const { as, teammate, daemon } = selection.globals;
  return [
    ...reachWords(host, scope, selection),
    ...option("daemon", daemon),
    ...option("as", as),
    ...option("teammate", teammate),
  ];
}

function reachWords(
  host: Host,
  scope: Scope,
  { globals, flags, cwd, project }: LaunchSelection,
): readonly string[] {
  if (flags["all-projects"]) return ["--all-projects"];
  if (flags.projects !== undefined)
    return option("projects", projectNames(flags.projects).join(","));
  if (project !== undefined) return option("project", project);
  // In the scope `project`, `--workspace` only selects the folder whose configuration file is changed, so it is not
  // passed on to the server.
  if (scope === "user" && globals.workspace !== undefined)
    return option("workspace", resolve(cwd, globals.workspace));
  if (host.startsInProject.includes(scope)) return [];
  if (scope === "project" && host.folderVariable !== undefined)
    return option("workspace", host.folderVariable);
  throw usage(
    `${host.title} may start the server outside of a project's folder`,
    "name what it reaches: --project <name>, --projects <names>, --all-projects or --workspace <path>",
  );
}

function option(name: string, value: string | undefined): readonly string[] {
  if (value === undefined) return [];
  return value.startsWith("-") || value === "" ? [`--${name}=${value}`] : [`--${name}`, value];
}
