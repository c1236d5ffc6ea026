import * as Flags from "@oclif/core/flags";
import { systemClock } from "../src/base/clock.ts";
import { SvcCommand } from "../src/cli/bases/svc-command.ts";
import type { Check, DaemonState } from "../src/cli/doctor.ts";
import { CommandError, failureOf } from "../src/cli/failure/failure.ts";
import { examples } from "../src/cli/flags/flags.ts";
import { answer } from "../src/cli/output/output.ts";
import { steadyHeap } from "../src/cli/start/steady-heap.ts";
import type { Client } from "../src/client/client.ts";
import type { FoundDaemon } from "../src/client/daemons.ts";
import { listConnectors } from "../src/contract/connectors.ts";
import { showEmbeddings, testEmbeddings } from "../src/contract/embeddings.ts";
import { health } from "../src/contract/health.ts";
import { testIssueSync } from "../src/contract/issue-sync.ts";
import type { Output } from "../src/contract/route.ts";
import type { Finding } from "../src/domain/finding.ts";

export default class Doctor extends SvcCommand {
  static override summary = "check settings, daemon and database, mending nothing";
  static override description =
    "Among other checks, it folds the event log again, compares the result with the tables and names the first difference. What it has verified it remembers in the database: the next run folds only what has changed and compares the rest by its digests. --full folds everything. A run shows how far it is and may take minutes on a large log; every question to a daemon or a server ends within 10 seconds. A daemon may run meanwhile; none is started. The exit code is 1 if a check fails.";
  static override examples = examples({
    "Is everything in order": "svc doctor",
    "Only what is not": "svc doctor --quiet",
    "Verify everything again": "svc doctor --full",
  });
  static override flags = {
    full: Flags.boolean({ summary: "fold everything again, also what was verified before" }),
  };
  protected override readonly autostart = false;
  protected override readonly longestWaitMs = 10_000;

  async run(): Promise<void> {
    const { flags } = await this.parse(Doctor);
    const { diagnosis } = await import("../src/cli/doctor.ts");
    const found = diagnosis(await this.#runChecks(flags.full));
    await this.print(answer(found), "doctor", ({ doctorView }) => doctorView);
    const { failed } = found.summary;
    if (failed === 0) return;
    throw new CommandError("checks_failed", `${failed} of ${found.checks.length} checks failed`);
  }

  /**
   * Runs all checks. If the first check cannot load the settings, the others do not run, because they need the
   * settings.
   */
  async #runChecks(full: boolean): Promise<readonly Check[]> {
    const { check, checkHome, checkSelection, checkWorkspace } = await import(
      "../src/cli/doctor.ts"
    );
    let client: Client | undefined;
    const config = await check("config.daemon", async () => {
      client = await (await this.session()).client();
      return checkSelection(client.config, client.workspace, this.globals.daemon);
    });
    if (client === undefined) return [config];
    const { config: settings, workspace } = client;
    const files = await check("config.workspace", () =>
      checkWorkspace(workspace, settings.settings.project),
    );
    return [
      config,
      await check("config.home", () => checkHome(settings)),
      files,
      ...(await this.#daemonChecks(client)),
      ...(await this.#storageChecks(client, full)),
    ];
  }

  async #daemonChecks({ config, target, workspace }: Client): Promise<readonly Check[]> {
    const doctor = await import("../src/cli/doctor.ts");
    const { check, checkHealth, checkProject, checkVersion } = doctor;
    const { skipped } = await import("../src/domain/finding.ts");
    const { engineFault, healthChecks } = await import("../src/engines/checks/all.ts");
    const seen: {
      daemons: readonly FoundDaemon[];
      daemon: DaemonState;
      health?: Output<typeof health>;
    } = { daemons: [], daemon: "none" };
    const connection = await check("daemon.connection", async () => {
      if (target.kind === "local") {
        const { daemonsOf } = await import("../src/client/daemons.ts");
        seen.daemons = await daemonsOf(config);
        seen.daemon = doctor.liveDaemon(seen.daemons);
      }
      return doctor.checkConnection(target, seen.daemon);
    });
    const { daemon } = seen;
    const version = this.config.version;
    // A call would replace a local daemon of another version. A diagnosis must not replace a daemon.
    const callable =
      target.kind === "remote" || (typeof daemon === "object" && daemon.version === version);
    const unasked = callable ? "the daemon did not answer" : "no daemon to ask";
    return [
      await check("daemon.socket", () => {
        return target.kind === "local" ? doctor.checkSocket(config) : skipped("a remote daemon");
      }),
      connection,
      await check("daemon.version", () => checkVersion(daemon, version)),
      await check("daemon.exposure", async () => {
        if (target.kind === "remote") return skipped("the remote machine knows");
        const { checkExposure, exposureReport } = await import("../src/cli/exposure/exposure.ts");
        const { machineNetwork } = await import("../src/cli/exposure/listener.ts");
        const around = machineNetwork(systemClock.nowMs());
        return checkExposure(await exposureReport(config, seen.daemons, around));
      }),
      await check("daemon.health", async () => {
        if (!callable) return skipped("no daemon to ask");
        seen.health = (await this.call(health, {})).body();
        return checkHealth(seen.health, engineFault(seen.health));
      }),
      ...(await doctor.checkEach(healthChecks(), ({ look }) =>
        seen.health === undefined ? skipped(unasked) : look(seen.health),
      )),
      await check("daemon.engines", async () => {
        if (seen.health === undefined) return skipped(unasked);
        return doctor.checkEngines(seen.health, systemClock.nowMs());
      }),
      await check("daemon.issue_sync", async () => {
        if (seen.health === undefined) return skipped(`not tested: ${unasked}`);
        return await this.#issueSync();
      }),
      await check("daemon.embeddings", async () => {
        if (seen.health === undefined) return skipped(`not tested: ${unasked}`);
        return await this.#embeddings(seen.health.embeddings);
      }),
      await check("daemon.connectors", async () => {
        if (seen.health === undefined) return skipped(`not tested: ${unasked}`);
        return await this.#connectors(seen.health.connectors);
      }),
      await check("workspace.project", async () => {
        if (seen.health === undefined) return skipped(unasked);
        const bound = workspace.file !== undefined || workspace.overlay !== undefined;
        return await checkProject(
          bound || (await (await this.session()).chosenProject()) !== undefined,
          await this.session(),
        );
      }),
    ];
  }

  /** Lets the daemon ask the code hosts, since only the daemon has the credentials. */
  async #issueSync(): Promise<Finding> {
    const { checkIssueSync } = await import("../src/cli/doctor-issue-sync.ts");
    const { skipped } = await import("../src/domain/finding.ts");
    try {
      return checkIssueSync((await this.call(testIssueSync, { body: {} })).body().tested);
    } catch (error) {
      return skipped(`not tested: ${failureOf(error).message}`);
    }
  }

  /** Lets the daemon read its index and embed a word, since only the daemon has the key of the provider. */
  async #embeddings(block: Output<typeof health>["embeddings"]): Promise<Finding> {
    const { skipped } = await import("../src/domain/finding.ts");
    if (block === undefined) return skipped("search by meaning is not configured");
    const { checkEmbeddings, checkIndex } = await import("../src/cli/doctor-embeddings.ts");
    try {
      const unreadable = checkIndex((await this.call(showEmbeddings, {})).body());
      if (unreadable !== undefined) return unreadable;
      const tested = (await this.call(testEmbeddings, { body: {} })).body();
      return checkEmbeddings(block, tested, systemClock.nowMs());
    } catch (error) {
      return skipped(`not tested: ${failureOf(error).message}`);
    }
  }

  /** Lets the daemon start each connector once, since only the daemon has their settings. */
  async #connectors(block: Output<typeof health>["connectors"]): Promise<Finding> {
    const { skipped } = await import("../src/domain/finding.ts");
    if (block === undefined) return skipped("the daemon has no connectors");
    const { checkConnectors, checkSilentConnectors } = await import(
      "../src/cli/doctor-connectors.ts"
    );
    try {
      return checkConnectors((await this.call(listConnectors, {})).body().connectors);
    } catch (error) {
      const { code, message } = failureOf(error);
      if (code === "daemon_unavailable") return checkSilentConnectors(message);
      return skipped(`not tested: ${message}`);
    }
  }

  async #storageChecks({ config, target }: Client, full: boolean): Promise<readonly Check[]> {
    const { check } = await import("../src/cli/doctor.ts");
    const { skipped } = await import("../src/domain/finding.ts");
    const { backupsOf, databaseOf, isThere } = await import("../src/cli/flags/storage.ts");
    if (target.kind === "remote") {
      return [await check("storage.open", () => skipped("the database is the remote daemon's"))];
    }
    const database = databaseOf(config, this.context.cwd);
    if (!isThere(database)) {
      return [await check("storage.open", () => skipped(`no database yet at ${database.display}`))];
    }
    steadyHeap();
    const { storageChecks } = await import("../src/archive/index.ts");
    const bar = await this.progress("reading the log and the tables");
    const options = { seen: bar.show, backups: backupsOf(config), full };
    return await storageChecks(database, check, options).finally(bar.end);
  }
}
