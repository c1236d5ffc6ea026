import * as Flags from "@oclif/core/flags";
import { SvcCommand } from "../../src/cli/bases/svc-command.ts";
import { booleanFlag, examples, listFlag, textFlag } from "../../src/cli/flags/flags.ts";
import { requireLocal } from "../../src/cli/flags/storage.ts";
import { storageTargets } from "../../src/cli/flags/storage-targets.ts";
import { toolListener } from "../../src/cli/flags/tool-listener.ts";
import { toolSections } from "../../src/cli/flags/tool-sections.ts";
import { projectNames } from "../../src/cli/session/project-names.ts";
import { call } from "../../src/client/call.ts";
import type { Client } from "../../src/client/client.ts";
import { SvcError } from "../../src/contract/errors.ts";
import { listProjects } from "../../src/contract/projects.ts";
import type { Reach } from "../../src/mcp/index.ts";

/** The oldest version of the daemon's API that the tools can use (docs/contract/tools.md#10-versions). */
const LEAST_API = "0.11.0";

export default class McpServe extends SvcCommand {
  static override summary = "serve typed tools to coding agents over the Model Context Protocol";
  static override description =
    "Speaks the protocol on standard input and output, or over HTTP with --http. An agent host starts it; the project is that of the folder it is started in, unless a flag names others. Writes are made as the actor that --as names when the server starts; the tools cannot change the actor or reach more projects.";
  static override flags = {
    projects: textFlag("only these projects, with commas between", "<names>", {
      exclusive: ["project", "workspace", "all-projects"],
    }),
    "all-projects": booleanFlag("all projects of the daemon", {
      exclusive: ["project", "workspace"],
    }),
    "enable-token-admin": booleanFlag("let tools create and revoke API tokens", {
      dependsOn: ["all-projects"],
    }),
    load: textFlag("sections whose tools are listed from the start, or all", "<sections|all>"),
    "tool-names": Flags.option({
      summary: "svc.list, or svc_list for hosts that refuse names with a dot",
      options: ["dot", "underscore"] as const,
      default: "dot",
    })(),
    content: Flags.option({
      summary: "give answers twice, or only as text for hosts that hand both to the model",
      options: ["both", "text"] as const,
      default: "both",
    })(),
    compact: booleanFlag("list short definitions, without the schemas of answers"),
    "storage-root": textFlag("let tools export and restore databases in this folder", "<folder>"),
    "storage-target": listFlag("a database that a tool may restore into", "<alias=path|DSN>", {
      dependsOn: ["storage-root"],
    }),
    http: textFlag("listen for HTTP here instead of using the pipes", "<ip:port>", {
      dependsOn: ["http-token-env"],
    }),
    "http-token-env": textFlag(
      "variable with the token that HTTP clients must send",
      "<variable>",
      { dependsOn: ["http"] },
    ),
    "trust-private-network": booleanFlag("allow --http on a private address or all addresses", {
      dependsOn: ["http"],
    }),
  };
  static override examples = examples({
    "The tools of this folder's project": "svc mcp serve --as claude-1",
    "With the tools that most work needs in the first list":
      "svc mcp serve --load issue_discovery,issue_mutation,issue_lifecycle",
    "For a host that refuses names with a dot, with short definitions":
      "svc mcp serve --load all --tool-names underscore --compact",
    "Two projects": "svc mcp serve --projects web,api --as claude-1",
    "With exports into a folder, and one database to restore into":
      "svc mcp serve --all-projects --storage-root /srv/svc --storage-target copy=/srv/copy.db",
    "All projects of a named daemon": "svc mcp serve --all-projects --daemon team",
    "Over HTTP, for hosts that connect to a URL":
      "svc mcp serve --http 127.0.0.1:7800 --http-token-env SVC_MCP_TOKEN",
  });

  async run(): Promise<void> {
    const { flags } = await this.parse(McpServe);
    const http = toolListener(flags, this.context.env);
    const { openStorage, SECTION_NAMES, serveMcp } = await import("../../src/mcp/index.ts");
    const load = toolSections(flags, SECTION_NAMES);
    const targets = storageTargets(flags["storage-target"]);
    const session = await this.session();
    const client = await session.client();
    await session.requireApi(LEAST_API, "update the daemon");
    const actor = await session.actor();
    const { reach, names } = await this.#reachableProjects(client, flags);
    const stopped = new AbortController();
    for (const name of ["SIGINT", "SIGTERM"] as const) process.once(name, () => stopped.abort());
    const { version } = this.config;
    const { signal } = stopped;
    const hasTokenAdmin = flags["enable-token-admin"];
    const { "storage-root": root } = flags;
    if (root !== undefined) requireLocal(client.target);
    const storage =
      root === undefined
        ? undefined
        : await openStorage(client.config, this.context.cwd, { root, targets });
    await serveMcp({
      client,
      reach,
      names,
      actor,
      storage,
      hasTokenAdmin,
      load,
      style: {
        names: flags["tool-names"],
        isCompact: flags.compact,
        isText: flags.content === "text",
      },
      version,
      signal,
      http,
    });
    process.exit(0);
  }

  async #reachableProjects(
    client: Client,
    flags: { readonly projects?: string | undefined; readonly "all-projects": boolean },
  ): Promise<{ readonly reach: Reach; readonly names: readonly string[] }> {
    if (flags["all-projects"]) return { reach: { kind: "all" }, names: [] };
    if (flags.projects !== undefined) {
      const names = projectNames(flags.projects);
      return { reach: { kind: "allowlist", uids: await uidsOf(client, names) }, names };
    }
    const { id, uid, name } = await (await this.session()).project();
    return { reach: { kind: "project", id, uid, name }, names: [name] };
  }
}

/** Returns the uids of the named projects. Throws if one of the projects does not exist or is archived. */
async function uidsOf(client: Client, names: readonly string[]): Promise<ReadonlySet<string>> {
  const { projects } = await call(client, listProjects, {});
  const known = new Map(projects.map(({ name, uid }) => [name, uid]));
  return new Set(names.map((name) => known.get(name) ?? unknownProject(name)));
}

function unknownProject(name: string): never {
  const message = `there is no active project ${JSON.stringify(name)}`;
  const hint = "svc projects list shows them";
  throw new SvcError("project_not_initialized", {}, { message, hint });
}
