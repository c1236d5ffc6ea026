import { SvcCommand } from "../src/cli/base.ts";
import { booleanFlag, examples } from "../src/cli/flags.ts";
import { call } from "../src/client/call.ts";
import type { Client } from "../src/client/client.ts";
import { type InitPlace, initPlace } from "../src/client/project.ts";
import { workTreeAround } from "../src/config/git-dir.ts";
import { writeWorkspaceFile } from "../src/config/workspace.ts";
import { SvcError } from "../src/contract/errors.ts";
import { initProject, resolveProject } from "../src/contract/projects.ts";

export default class Init extends SvcCommand {
  static override summary = "bind this directory to a project, creating it if needed";
  static override description =
    "Writes .svc.toml, which holds the project's name and nothing else: commit it, and every clone and work tree of the repository has the same project. The name is that of --project, else of the repository, else of the directory; SVC_PROJECT does not choose it, but still comes before the file. Doing it again changes nothing.";
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

  async run(): Promise<void> {
    const { flags } = await this.parse(Init);
    const session = await this.session();
    const client = await session.client();
    const place = await initPlace(client, session.start);
    const files = await import("../src/cli/workspace-files.ts");
    const agentFiles = flags["with-agents"] ? files.agentFiles(place.root) : [];
    await refuseOtherBinding(client, place, flags);
    const bound = await this.call(initProject, {
      body: {
        ...(await wish(client, place, flags.project)),
        replace: flags.replace || undefined,
        reassign: flags.reassign || undefined,
        actor: await this.actor(),
      },
    });
    const { project, created } = bound.body();
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
    };
    await this.print(
      { json: bound.json, body: () => result },
      "system",
      ({ initView }) => initView,
    );
  }
}

interface Wish {
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
  { project, replace, reassign }: Wish,
): Promise<void> {
  const bound = client.workspace.file?.project;
  if (project === undefined || bound === undefined || bound === project || replace) return;
  // The daemon may know the repository as part of a third project. Then the command needs both --replace and
  // --reassign. One error names both projects and both flags, so that the person need not try twice.
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

/**
 * Returns the request that binds the workspace to a project. The name of the project is the first of these that is
 * known:
 * - the argument
 * - the name in `.svc.toml`
 * - the project to which the repository already belongs
 * - a default name
 */
async function wish(
  client: Client,
  { root, alias, defaultName }: InitPlace,
  asked: string | undefined,
) {
  const name = asked ?? client.workspace.file?.project;
  if (alias !== undefined)
    return { alias, name: name ?? (await boundName(client, alias)) ?? defaultName };
  if (client.target.kind === "remote") return { name: name ?? defaultName };
  return name === undefined ? { start_path: root } : { start_path: root, name };
}

async function boundName(
  client: Client,
  alias: NonNullable<InitPlace["alias"]>,
): Promise<string | undefined> {
  try {
    return (await call(client, resolveProject, { body: { alias } })).project.name;
  } catch (error) {
    if (error instanceof SvcError && error.code === "project_not_initialized") return undefined;
    throw error;
  }
}
