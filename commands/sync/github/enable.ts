import { SvcCommand } from "../../../src/cli/bases/svc-command.ts";
import { usage } from "../../../src/cli/failure/failure.ts";
import { examples, textFlag } from "../../../src/cli/flags/flags.ts";
import { enableIssueSync, getIssueSyncStatus } from "../../../src/contract/issue-sync.ts";
import { showProject } from "../../../src/contract/projects.ts";
import {
  type NamedRepository,
  PUBLIC_HOST,
  readRepository,
  repositoriesAt,
} from "../../../src/shared/issue-sync.ts";

export default class SyncGithubEnable extends SvcCommand {
  static override summary =
    "read the issues of a repository on GitHub into the project from now on";
  static override description =
    "The daemon reads the repository every few minutes with credentials of its own (an app of [[provider_sync.app]], the token named by [provider_sync] token_env, or gh auth login on its machine), and writes nothing there. The host owns title, body, state, labels, owner, comments and parent of these issues: a newer value of it replaces a local edit. Everything else is yours. Without --repo the repository is the one that the project is bound to, or else that of its git remotes.";
  static override flags = {
    repo: textFlag("the repository", "<owner/repo>"),
    host: textFlag("an enterprise host that the daemon's settings allow", "<host>"),
    interval: textFlag("time between two runs; default 5m", "<duration>"),
    "title-prefix": textFlag(
      "whether titles begin with the number of the issue on GitHub; at first true",
      "<true|false>",
    ),
  };
  static override examples = examples({
    "The repository of this folder": "svc sync github enable",
    "Another one, every quarter of an hour":
      "svc sync github enable --repo acme/web --interval 15m --title-prefix=false",
  });

  async run(): Promise<void> {
    const { flags } = await this.parse(SyncGithubEnable);
    const { interval } = flags;
    const project_id = await this.projectId();
    const { host = flags.host, ...repository } =
      flags.repo === undefined ? await this.#find(project_id, flags.host) : named(flags.repo);
    const title_prefix = onOrOff(flags["title-prefix"]);
    const config = {
      ...repository,
      ...(host === undefined ? {} : { host }),
      ...(title_prefix === undefined ? {} : { title_prefix }),
    };
    const enabled = await this.call(enableIssueSync, {
      params: { project_id, provider: "github" },
      body: { config, ...(interval === undefined ? {} : { interval }) },
    });
    await this.print(enabled, "sync", ({ syncEnabledView }) => syncEnabledView);
  }

  /** Returns the repository that the project is bound to, otherwise the repository that its git remotes name. */
  async #find(project_id: number, host: string | undefined): Promise<NamedRepository> {
    return (await this.#bound(project_id, host)) ?? (await this.#remote(project_id, host));
  }

  async #bound(project_id: number, host: string | undefined): Promise<NamedRepository | undefined> {
    const params = { project_id, provider: "github" };
    const { binding } = (await this.call(getIssueSyncStatus, { params })).body();
    if (binding === undefined) return undefined;
    const { config } = binding;
    if (host !== undefined && host.toLowerCase() !== config.host) return undefined;
    return { host: config.host, owner: config.owner, repo: config.repo };
  }

  /**
   * Returns the only repository at the host that the project's git remotes name. Throws if they name none or several.
   */
  async #remote(project_id: number, host: string | undefined): Promise<NamedRepository> {
    const shown = await this.call(showProject, { params: { project_id } });
    const found = repositoriesAt(shown.body().aliases, host);
    const [name, ...others] = found;
    if (name === undefined)
      throw usage(
        `no git remote of the project names a repository at ${host ?? PUBLIC_HOST}: give --repo and --host`,
      );
    if (others.length > 0)
      throw usage(`the project has several repositories (${found.join(", ")}): give --repo`);
    this.note(`the repository is ${name}, as a git remote of the project says`);
    return named(name);
  }
}

function onOrOff(text: string | undefined): boolean | undefined {
  if (text === undefined || text === "true") return text === undefined ? undefined : true;
  if (text === "false") return false;
  throw usage("--title-prefix is true or false");
}

function named(text: string): NamedRepository {
  const repository = readRepository(text);
  if (repository === undefined) throw usage("--repo is owner/repo, such as acme/web");
  return repository;
}
