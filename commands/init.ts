import { shellWord } from "../src/base/shell-word.ts";
import { SvcCommand } from "../src/cli/bases/svc-command.ts";
import { booleanFlag, examples } from "../src/cli/flags/flags.ts";
import { call } from "../src/client/call.ts";
import type { Client } from "../src/client/client.ts";
import { type InitPlace, initPlace } from "../src/client/project.ts";
import { workTreeAround } from "../src/config/git-dir.ts";
import { writeWorkspaceFile } from "../src/config/workspace.ts";
import { SvcError } from "../src/contract/errors.ts";
import { initProject, resolveProject, showProject } from "../src/contract/projects.ts";
import type { CallInput } from "../src/contract/route.ts";
import { namesFor } from "../src/domain/projects.ts";
import { oneLine } from "../src/shared/text.ts";

export default class Init extends SvcCommand {
  static override summary = "bind this directory to a project, creating it if needed";
  static override description =
    "Writes .svc.toml, which holds the project's name and nothing else: commit it, and every clone and work tree of the repository has the same project. The name is that of --project, else that of .svc.toml, else of the repository, else of the directory; SVC_PROJECT does not choose it, but still comes before the file. A project of that name that belongs to another repository or directory is joined only if --project or .svc.toml names it; else a new project gets a longer name, such as work-api. Doing it again changes nothing.";
  static override flags = {
    replace: booleanFlag("bind to --project even if .svc.toml names another project"),
    reassign: booleanFlag("take the repository away from the project it belongs to"),
    "with-agents": booleanFlag(
      "also tell coding agents how to use svc, in AGENTS.md or the files they have",
    ),
  };
  static override examples = examples({
    "In the repository": "svc init",
    "Under a name of your own": "svc init --project website",
    "And tell the agents": "svc init --with-agents",
  });

  /**
   * The project that has the workspace's default name. It was not joined, because it belongs to another repository. Set
   * only for an older daemon, for which the command chooses the name itself.
   */
  #namesake: OtherProjects["namesake"];

  async run(): Promise<void> {
    const { flags } = await this.parse(Init);
    const session = await this.session();
    const client = await session.client();
    const place = await initPlace(client, session.start);
    const files = await import("../src/cli/agent-files/workspace-files.ts");
    const agentFiles = flags["with-agents"] ? files.agentFiles(place.root) : [];
    await refuseOtherBinding(client, place, flags);
    const bound = await this.call(initProject, {
      body: {
        ...(await this.#bindingRequest(client, place, flags.project)),
        replace: flags.replace || undefined,
        reassign: flags.reassign || undefined,
        actor: await this.actor(),
      },
    });
    const { project, created, joined_with, namesake = this.#namesake } = bound.body();
    this.#noteOthers(project.name, { joined_with, namesake });
    const written = client.workspace.file?.project !== project.name;
    if (written) writeWorkspaceFile(place.root, project.name);
    const warning =
      workTreeAround(place.root) === undefined ? undefined : files.ignoreLocalFile(place.root);
    if (warning !== undefined) this.note(`svc: warning: ${warning}`);
    // SVC_PROJECT has no influence on the project in the file, because the file is committed and binds everybody, while
    // the variable is only set in this shell.
    const named = client.config.settings.project;
    if (named !== undefined && named !== project.name && !this.quiet)
      this.note(
        `svc: warning: SVC_PROJECT names the project ${named}, which commands of this shell use instead; unset it to use ${project.name}`,
      );
    const refreshed = files.refreshAgentFiles(agentFiles);
    if (!this.quiet) for (const name of refreshed) this.note(`svc: ${name} tells agents about svc`);
    const result = {
      project: project.name,
      workspace: place.root,
      created,
      changed: created || written || refreshed.length > 0,
      namesake: namesake?.name,
      joined_with,
    };
    await this.print(
      { json: bound.json, body: () => result },
      "system",
      ({ initView }) => initView,
    );
  }

  /**
   * Prints, in every output mode, which repository already uses the project that this workspace has joined, or which
   * project of the same name was not joined.
   */
  #noteOthers(name: string, { joined_with, namesake }: OtherProjects): void {
    if (joined_with !== undefined)
      this.note(
        `svc: this joins the project ${oneLine(name)} of ${oneLine(joined_with)}; to bind another project: svc init --project <name> --replace --reassign`,
      );
    if (namesake === undefined) return;
    const owner = oneLine(namesake.alias_identity);
    const cure = `svc init --project ${shellWord(oneLine(namesake.name))} --replace --reassign`;
    this.note(
      `svc: the project ${oneLine(namesake.name)} belongs to ${owner}, so this is the new project ${oneLine(name)}; if it is the same and only its folder was moved: ${cure}`,
    );
  }

  /**
   * Returns the request that binds the workspace to a project. The name of the project is the first of these that is
   * known:
   * - the argument
   * - the name in `.svc.toml`
   * - the project to which the repository already belongs
   * - a name that no project of another repository or folder has, which the daemon chooses
   */
  async #bindingRequest(
    client: Client,
    { root, alias, defaultName }: InitPlace,
    asked: string | undefined,
  ) {
    const name = asked ?? client.workspace.file?.project;
    if (alias !== undefined) {
      if (name !== undefined) return { alias, name };
      if (await (await this.session()).hasApi(NAMES_API)) return { alias };
      // An older daemon must be told a name, and joins the project that has it.
      return { alias, name: (await boundName(client, alias)) ?? defaultName };
    }
    if (client.target.kind === "remote")
      return { name: name ?? (await this.#freeName(client, root)) };
    return name === undefined ? { start_path: root } : { start_path: root, name };
  }

  /**
   * Chooses a name for a folder without a repository on a daemon of another machine. Such a folder has no alias,
   * because its path has no meaning on the other machine. So the daemon cannot choose the name.
   */
  async #freeName(client: Client, root: string): Promise<string> {
    for (const name of namesFor(root)) {
      const found = await projectNamed(client, name);
      if (found === undefined) return name;
      if (this.#namesake !== undefined) continue;
      const { aliases } = await call(client, showProject, { params: { project_id: found.id } });
      const [other] = aliases;
      if (other === undefined) return name;
      this.#namesake = { name, alias_identity: other.alias_identity };
    }
    return root;
  }
}

/** The first API version in which the daemon chooses the name of a repository's project. */
const NAMES_API = "0.20.0";

interface OtherProjects {
  readonly joined_with?: string | undefined;
  readonly namesake?: { readonly name: string; readonly alias_identity: string } | undefined;
}

interface ProjectRequest {
  readonly project?: string | undefined;
  readonly replace: boolean;
  readonly reassign: boolean;
}

/**
 * Throws if `.svc.toml` binds the workspace to another project and `--replace` is not given. The file is committed, so
 * a change of it concerns everybody who has the repository.
 */
async function refuseOtherBinding(
  client: Client,
  { alias }: InitPlace,
  { project, replace, reassign }: ProjectRequest,
): Promise<void> {
  const bound = client.workspace.file?.project;
  if (project === undefined || bound === undefined || bound === project || replace) return;
  // The repository may already belong to a third project. Then the command needs both --replace and --reassign. One
  // error names both projects and both flags, so that the person need not try twice.
  const owner = alias === undefined ? undefined : await boundName(client, alias);
  const taken = owner !== undefined && owner !== project && !reassign;
  throw new SvcError(
    "project_binding_conflict",
    { project: bound, requested: project },
    {
      message: taken
        ? `.svc.toml binds this workspace to ${bound}, and its repository belongs to ${owner}`
        : `.svc.toml binds this workspace to ${bound}`,
      hint: `${taken ? "--replace --reassign" : "--replace"} binds it to ${project}`,
    },
  );
}

async function boundName(
  client: Client,
  alias: NonNullable<InitPlace["alias"]>,
): Promise<string | undefined> {
  return (await projectOf(client, { alias }))?.name;
}

async function projectNamed(client: Client, name: string) {
  return await projectOf(client, { name });
}

async function projectOf(
  client: Client,
  body: NonNullable<CallInput<typeof resolveProject>["body"]>,
) {
  try {
    return (await call(client, resolveProject, { body })).project;
  } catch (error) {
    if (error instanceof SvcError && error.code === "project_not_initialized") return undefined;
    throw error;
  }
}
