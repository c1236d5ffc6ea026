import { isUlid } from "../base/ulid.ts";
import { SvcError } from "../contract/errors.ts";
import { listProjects, showProject } from "../contract/projects.ts";
import type { Output } from "../contract/route.ts";
import type { NamedProject } from "../shared/project-choice.ts";
import { type IssuePlace, readRef } from "../shared/ref.ts";
import type { Daemon } from "./daemon.ts";
import { ToolError } from "./failure.ts";

/**
 * The projects that a server reaches: one, a list of them, or all projects of the daemon. The projects of a list are
 * kept by uid, so that they stay in reach when they are renamed (docs/contract/tools.md#6-scope).
 */
export type Reach =
  | { readonly kind: "project"; readonly id: number; readonly uid: string; readonly name: string }
  | { readonly kind: "allowlist"; readonly uids: ReadonlySet<string> }
  | { readonly kind: "all" };

/** An issue that a caller named: its project, and the path parameters for routes of one issue. */
export interface NamedIssue {
  readonly project: NamedProject;
  readonly params: IssuePlace;
}

/** The projects that a server reaches, for one call. The call reads them from the daemon at most once. */
export class Scope {
  readonly reach: Reach;
  readonly #daemon: Daemon;
  #projects: Promise<readonly NamedProject[]> | undefined;

  constructor(reach: Reach, daemon: Daemon) {
    this.reach = reach;
    this.#daemon = daemon;
  }

  /** True if the server is bound to one project. Refs then need no project, and results have `project`. */
  get isBound(): boolean {
    return this.reach.kind === "project";
  }

  /** True if the server reaches only some of the daemon's projects. */
  get isLimited(): boolean {
    return this.reach.kind !== "all";
  }

  /**
   * Returns the active projects in reach, ordered by name. If the server is bound to one project, throws if that
   * project is archived or gone.
   */
  async projects(): Promise<readonly NamedProject[]> {
    this.#projects ??= this.#read();
    return await this.#projects;
  }

  async chosen(name: string | undefined): Promise<readonly NamedProject[]> {
    return name === undefined ? await this.projects() : [await this.project(name)];
  }

  /**
   * Returns the named project. Without a name it returns the project to which the server is bound, and fails if the
   * server is not bound to one. `where` begins the message that the project is out of reach.
   */
  async project(name: string | undefined, where = ""): Promise<NamedProject> {
    const projects = await this.projects();
    const [bound] = projects;
    if (name === undefined) {
      if (this.isBound && bound !== undefined) return bound;
      throw new ToolError("invalid arguments: project: is required, name one of the projects");
    }
    return projects.find((project) => project.name === name.trim()) ?? refuseOutside(name, where);
  }

  /**
   * Finds the issue of a ref that a caller gave in this argument. The ref must contain its project, unless the server
   * is bound to one project (docs/contract/tools.md#6-scope). An error names the argument, except for `ref`, which is
   * the issue that the call is about.
   */
  async issue(text: string, argument = "ref"): Promise<NamedIssue> {
    const { project: name, ref } = read(text, argument);
    if (!this.isBound && (name === undefined || isUlid(ref)))
      throw new ToolError(
        `invalid arguments: ${argument}: ${JSON.stringify(text)} names no project and short id; write project#short_id`,
      );
    const project = await this.project(name, argument === "ref" ? "" : `${argument}: `);
    return { project, params: { project_id: project.id, ref } };
  }

  requireAll(tool: string): void {
    if (this.reach.kind !== "all") throw new ToolError(`${tool} requires --all-projects`);
  }

  /** True if the project with this name or uid is in reach and active. */
  async has(project: string): Promise<boolean> {
    return (await this.projects()).some(({ uid, name }) => uid === project || name === project);
  }

  async #read(): Promise<readonly NamedProject[]> {
    const { reach } = this;
    if (reach.kind === "project") return [await this.#onlyProject(reach)];
    const { projects } = await this.#daemon.call(listProjects, {});
    const inReach =
      reach.kind === "all" ? projects : projects.filter(({ uid }) => reach.uids.has(uid));
    return inReach.map(identityOf).sort((one, other) => (one.name < other.name ? -1 : 1));
  }

  async #onlyProject({
    id,
    uid,
    name,
  }: Reach & { readonly kind: "project" }): Promise<NamedProject> {
    const { project } = await this.#readProject(id, name);
    if (project.uid !== uid || project.deleted_at !== undefined) return refuseOutside(name);
    return identityOf(project);
  }

  async #readProject(id: number, name: string): Promise<Output<typeof showProject>> {
    try {
      return await this.#daemon.call(showProject, { params: { project_id: id } });
    } catch (error) {
      if (error instanceof SvcError && error.code === "project_not_found")
        return refuseOutside(name);
      throw error;
    }
  }
}

/**
 * Fails with the same text for a project that is out of reach and for one that does not exist, so that callers cannot
 * learn which other projects exist.
 */
function refuseOutside(name: string, where = ""): never {
  throw new ToolError(`${where}project ${JSON.stringify(name)} is outside this server's scope`);
}

function identityOf({ id, uid, name }: NamedProject): NamedProject {
  return { id, uid, name };
}

function read(text: string, argument: string): ReturnType<typeof readRef> {
  try {
    return readRef(text);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new ToolError(`invalid arguments: ${argument}: ${reason}`, { cause: error });
  }
}
