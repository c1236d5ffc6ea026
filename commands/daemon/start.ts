import { DaemonCommand, daemonFlags, readonlyFlag } from "../../src/cli/bases/daemon-command.ts";
import { usage } from "../../src/cli/failure/failure.ts";
import { booleanFlag, examples, textFlag } from "../../src/cli/flags/flags.ts";
import { answer } from "../../src/cli/output/output.ts";
import { takeReadyDescriptor } from "../../src/config/env.ts";
import type { Config } from "../../src/config/load.ts";

export default class DaemonStart extends DaemonCommand {
  static override summary = "start the daemon of this database";
  static override description =
    "Commands start a daemon when they need one, so this is for a daemon that should stay, listen on another address, or run under a supervisor. It replaces a daemon that a command started and that would end when idle.";
  static override flags = {
    foreground: booleanFlag("run in this process instead of the background"),
    listen: textFlag("listen here instead of on the Unix socket; several with commas", "<ip:port>"),
    "insecure-readonly": readonlyFlag(),
    qr: booleanFlag("show the address of a TCP listener as a QR code too", {
      dependsOn: ["foreground"],
    }),
  };
  static override examples = examples({
    "In the background, until it is stopped": "svc daemon start",
    "On a TCP port": "svc daemon start --listen 127.0.0.1:7777",
    "On a private network, for reading alone":
      "svc daemon start --listen 10.0.0.5:7777 --insecure-readonly",
    "Under systemd or in a container": "svc daemon start --foreground",
  });

  async run(): Promise<void> {
    const { flags } = await this.parse(DaemonStart);
    // There is no agent format: with --foreground the command runs until the daemon ends, and so prints no result.
    if (this.mode === "agent") throw usage("daemon start has no agent format; use --json");
    const { foreground, qr } = flags;
    const config = await this.localConfig(daemonFlags(flags));
    if (foreground === true) return await this.runHere(config, qr);
    const { startInBackground } = await import("../../src/client/control.ts");
    const started = await startInBackground(config, this.program);
    this.changedNothing = started.action === "already_running";
    this.noteExposure(config);
    await this.print(answer(started), "daemon", ({ startView }) => startView);
  }

  private async runHere(config: Config, qr: boolean): Promise<void> {
    const { runDaemon, StartError, unavailable } = await import("../../src/daemon/index.ts");
    // Without a terminal nobody sees this line, and the daemon's log contains the address as well.
    const printStarted = (address: string): void => {
      if (this.context.stdout.isTerminal) this.writeLine(`listening on ${address}`);
    };
    try {
      const ready = takeReadyDescriptor();
      const note = (warning: string): void => this.note(warning);
      await runDaemon({
        config,
        version: this.config.version,
        started: printStarted,
        note,
        qr,
        ready,
      });
    } catch (error) {
      if (!(error instanceof StartError)) throw error;
      if (error.fault !== "already_running") throw unavailable(error);
      // If several daemons are started at once, one serves and the others end without an error
      // (docs/contract/command-line.md#45-starting-by-a-command).
      this.note(error.message);
    }
  }
}
