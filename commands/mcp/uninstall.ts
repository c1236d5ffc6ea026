import { systemClock } from "../../src/base/clock.ts";
import { HOSTS } from "../../src/cli/agent-hosts/hosts.ts";
import {
  AgentHostCommand,
  clientsFlag,
  requirePath,
  scopeFlag,
} from "../../src/cli/bases/agent-host-command.ts";
import { booleanFlag, examples } from "../../src/cli/flags/flags.ts";
import { answer } from "../../src/cli/output/output.ts";

export default class McpUninstall extends AgentHostCommand {
  static override summary = "remove svc mcp serve from the configuration of agent hosts";
  static override description =
    "Removes the entry that svc mcp install writes and keeps everything else of the file as it is written; a file that install made is removed. An entry of the same name that starts something else stays unless --force is given. If one of several files is refused, none is changed. Asks no daemon.";
  static override flags = {
    client: clientsFlag()({ required: true }),
    scope: scopeFlag(),
    force: booleanFlag("remove the entry even if it starts something else"),
    "dry-run": booleanFlag("show the change and make none"),
  };
  static override examples = examples({
    "From the project's file of Claude Code": "svc mcp uninstall --client claude-code",
    "From your own files of two hosts":
      "svc mcp uninstall --client codex --client gemini --scope user",
    "What would change": "svc mcp uninstall --client vscode --dry-run",
  });

  async run(): Promise<void> {
    const { flags } = await this.parse(McpUninstall);
    const { removalOf } = await import("../../src/cli/agent-hosts/uninstall.ts");
    const { writeChange } = await import("../../src/cli/agent-hosts/install.ts");
    const isDry = flags["dry-run"];
    const found = [];
    for (const client of new Set(flags.client)) {
      const place = await this.place(HOSTS[client], flags.scope);
      const file = { ...place, path: requirePath(place) };
      found.push({ client, file, change: await removalOf(file, flags.force) });
    }
    const removals = found.filter(({ change }) => change.action === "removed" && !isDry);
    for (const { file, change } of removals) await writeChange(file, change, systemClock);
    this.changedNothing = removals.length === 0;
    const hosts = found.map(({ client, file: { scope, path }, change: { action, after } }) => ({
      client,
      scope,
      path,
      action,
      removes_file: action === "removed" && after === undefined,
    }));
    const done = answer({ dry_run: isDry, hosts });
    await this.print(done, "agent-hosts", ({ uninstallView }) => uninstallView);
  }
}
