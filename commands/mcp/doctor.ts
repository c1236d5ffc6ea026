import type { HostEntry } from "../../src/cli/agent-hosts/entries.ts";
import type { CommandDaemon, HostCheck } from "../../src/cli/agent-hosts/judge.ts";
import { clientsFlag, scopeFlag } from "../../src/cli/bases/agent-host-command.ts";
import { SvcCommand } from "../../src/cli/bases/svc-command.ts";
import { CommandError, failureOf } from "../../src/cli/failure/failure.ts";
import { examples } from "../../src/cli/flags/flags.ts";
import { answer } from "../../src/cli/output/output.ts";
import type { Client } from "../../src/client/client.ts";
import { instance } from "../../src/contract/health.ts";
import type { Finding } from "../../src/domain/finding.ts";

export default class McpDoctor extends SvcCommand {
  static override summary =
    "start the tool server of agent hosts as they do, and say what they see";
  static override description =
    "For each host whose file has an entry of svc, or only for those of --client: starts what the entry names as a host would that is started from this shell, lists the tools, calls two that only read, and ends it again. Says whether the server asks the same daemon as svc here, and what the host was seen to do with such a server, with a cure for what is wrong; of a host that was not tried, what is unknown. A server that says nothing is killed after 10 seconds. Changes nothing, and starts no daemon but the one that the server itself starts. The exit code is 1 if a check fails.";
  static override flags = {
    client: clientsFlag()(),
    scope: scopeFlag("whose file: the project's, or yours; without it both"),
  };
  static override examples = examples({
    "Every host that is configured here": "svc mcp doctor",
    "Only your own file of Codex": "svc mcp doctor --client codex --scope user",
    "Only what is wrong": "svc mcp doctor --quiet",
  });
  protected override readonly autostart = false;
  protected override readonly longestWaitMs = 10_000;

  async run(): Promise<void> {
    const { flags } = await this.parse(McpDoctor);
    const { entriesOf } = await import("../../src/cli/agent-hosts/entries.ts");
    const { start } = await this.session();
    const place = { start, env: this.context.env };
    const entries = await entriesOf(flags.client, flags.scope, place);
    const { triedEntry } = await import("../../src/cli/agent-hosts/tried-entry.ts");
    const client = await (await this.session()).client();
    const secrets = client.config.catalog.flatMap(({ tokenEnv }) => tokenEnv ?? []);
    const tried = [];
    for (const entry of entries)
      tried.push(await triedEntry(entry, { ...place, secrets, version: this.config.version }));
    // Look for the daemon after the servers were tried, because a server may have started it.
    const here = await this.#describeHere(client, entries);
    const hosts = tried.map(({ checks, ...host }) => ({ ...host, checks: checks(here) }));
    const summary = countsOf(hosts.flatMap(({ checks }) => checks));
    const found = answer({ version: 1, hosts, summary });
    await this.print(found, "agent-hosts", ({ mcpDoctorView }) => mcpDoctorView);
    if (summary.failed === 0) return;
    const all = Object.values(summary).reduce((sum, count) => sum + count, 0);
    throw new CommandError("checks_failed", `${summary.failed} of ${all} checks failed`);
  }

  /** Finds the daemon that svc commands use in this place. Starts no daemon and replaces none of another version. */
  async #describeHere(
    { config, target }: Client,
    entries: readonly HostEntry[],
  ): Promise<CommandDaemon> {
    const name =
      target.kind === "remote" ? target.origin.text : `the local daemon of ${config.home}`;
    if (entries.every(({ entry }) => entry === undefined)) return { kind: "none", name };
    try {
      if (target.kind === "local") {
        const { liveDaemon } = await import("../../src/cli/doctor.ts");
        const { daemonsOf } = await import("../../src/client/daemons.ts");
        const daemon = liveDaemon(await daemonsOf(config));
        if (daemon === "none") return { kind: "none", name };
        if (daemon === "silent") return { kind: "unknown", why: `${name} does not answer` };
        if (daemon.version !== this.config.version)
          return {
            kind: "unknown",
            why: `${name} is ${daemon.version}, svc ${this.config.version}`,
          };
      }
      const { instance_uid } = (await this.call(instance, {})).body();
      return { kind: "asked", instance: instance_uid, name };
    } catch (error) {
      return { kind: "unknown", why: failureOf(error).message };
    }
  }
}

function countsOf(checks: readonly HostCheck[]): Readonly<Record<Finding["status"], number>> {
  const counts = { ok: 0, warning: 0, failed: 0, skipped: 0 };
  for (const { status } of checks) counts[status] += 1;
  return counts;
}
