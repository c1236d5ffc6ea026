import { systemClock } from "../../src/base/clock.ts";
import {
  AgentHostCommand,
  clientFlag,
  requirePath,
} from "../../src/cli/bases/agent-host-command.ts";
import { CommandError } from "../../src/cli/failure/failure.ts";
import { booleanFlag, examples } from "../../src/cli/flags/flags.ts";
import { answer } from "../../src/cli/output/output.ts";

export default class McpInstall extends AgentHostCommand {
  static override summary = "add svc mcp serve to the configuration of an agent host";
  static override description =
    "Adds one entry and keeps everything else of the file as it is written, comments too. The server asks the daemon that is selected here, also when the host knows nothing of this shell: what selects it is written into the entry, of secrets only the variables' names, or the command is refused. A file behind a link is left alone, and the entry is printed to be pasted. Another entry of the same name stays unless --force is given. Asks no daemon.";
  static override flags = {
    client: clientFlag()({ required: true }),
    ...AgentHostCommand.hostFlags,
    force: booleanFlag("replace another entry of the same name"),
    "dry-run": booleanFlag("show the change and make none"),
  };
  static override examples = examples({
    "For everybody who works on this project with Claude Code":
      "svc mcp install --client claude-code",
    "For your own Codex, under a name of its own":
      "svc mcp install --client codex --scope user --as codex-1",
    "What would change": "svc mcp install --client vscode --dry-run",
  });

  async run(): Promise<void> {
    const { flags } = await this.parse(McpInstall);
    const plan = await this.plan(flags);
    const { scope, text } = plan;
    const path = requirePath(plan);
    const { changeOf, writeChange } = await import("../../src/cli/agent-hosts/install.ts");
    const placed = { ...plan, path };
    const change = await changeOf(placed, flags.force).catch((error: unknown) => {
      this.#showEntry(error);
      throw error;
    });
    const { action } = change;
    const isDry = flags["dry-run"];
    if (action !== "unchanged" && !isDry) await writeChange(placed, change, systemClock);
    this.changedNothing = action === "unchanged" || isDry;
    const { env } = plan.launch;
    const done = {
      client: flags.client,
      scope,
      path,
      action,
      dry_run: isDry,
      token_env: env.token ?? null,
      env: env.values,
      env_names: env.names,
      text,
    };
    await this.print(answer(done), "agent-hosts", ({ installView }) => installView);
    for (const name of env.names) this.remark(`the host must have ${name} in its environment`);
  }

  /**
   * Prints the entry that a person can paste into the settings of the agent host, if the error contains one. With
   * --json the printed error contains the entry already.
   */
  #showEntry(error: unknown): void {
    const text = error instanceof CommandError ? error.failure.data?.["text"] : undefined;
    if (typeof text === "string" && this.mode !== "json") this.note(text);
  }
}
