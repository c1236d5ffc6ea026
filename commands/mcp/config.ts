import { AgentHostCommand, clientFlag } from "../../src/cli/bases/agent-host-command.ts";
import { examples } from "../../src/cli/flags/flags.ts";
import { answer } from "../../src/cli/output/output.ts";

export default class McpConfig extends AgentHostCommand {
  static override summary = "print the configuration with which an agent host starts svc mcp serve";
  static override description =
    "Prints the text for the host's own file and says where that is; without --client, in the form that most hosts read. Asks no daemon and writes nothing. The entry has the flags that the host needs, and what selects the daemon here; of secrets, only the variables' names.";
  static override flags = { client: clientFlag()(), ...AgentHostCommand.hostFlags };
  static override examples = examples({
    "For a host of your own": "svc mcp config --as claude-1",
    "For Codex": "svc mcp config --client codex --scope user --as codex-1",
    "All projects of a named daemon, for Claude Desktop":
      "svc mcp config --client claude-desktop --all-projects --daemon team",
  });

  async run(): Promise<void> {
    const { flags } = await this.parse(McpConfig);
    const { host, scope, path, launch, text } = await this.plan(flags);
    const { command, args, env } = launch;
    const client = flags.client ?? null;
    const found = {
      client,
      scope: client === null ? null : scope,
      path: path ?? null,
      format: host.format,
      command,
      args,
      token_env: env.token ?? null,
      env: env.values,
      env_names: env.names,
      text,
    };
    await this.print(answer(found), "agent-hosts", ({ configView }) => configView);
    if (path !== undefined) this.remark(`for ${path}`);
    for (const name of env.names) this.remark(`the host must have ${name} in its environment`);
  }
}
