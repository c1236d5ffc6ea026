import { type Program, thisProgram } from "../../client/program.ts";
import { type Config, type ConfigInput, loadConfig } from "../../config/load.ts";
import { startOf, startWarnings } from "../../config/start.ts";
import { plannedPages } from "../exposure/pages.ts";
import { usage } from "../failure/failure.ts";
import { booleanFlag } from "../flags/flags.ts";
import { OfflineCommand } from "./offline-command.ts";

export function readonlyFlag() {
  return booleanFlag("everybody who reaches the daemon reads without a token, and nobody writes");
}

export function daemonFlags(flags: {
  readonly listen?: string | undefined;
  readonly "insecure-readonly"?: boolean | undefined;
}): NonNullable<ConfigInput["flags"]> {
  const { listen, "insecure-readonly": readonly } = flags;
  return {
    ...(listen === undefined ? {} : { listen }),
    ...(readonly === true ? { insecureReadonly: "true" } : {}),
  };
}

/**
 * Base of commands that act on the daemon process of this machine, even if other commands use another daemon. A command
 * whose purpose is to start the daemon calls the functions of `src/client/control.ts` itself.
 */
export abstract class DaemonCommand extends OfflineCommand {
  protected get program(): Program {
    return thisProgram(this.config.version);
  }

  /**
   * Reads the settings in this user's home folder of svc. Refuses `--daemon`, because the named daemon may be on
   * another machine (docs/contract/command-line.md#28-the-daemon).
   */
  protected async localConfig(flags: ConfigInput["flags"] = {}): Promise<Config> {
    if (this.globals.daemon !== undefined) {
      throw usage("--daemon names another daemon; this command acts on the local one only");
    }
    const { env, cwd } = this.context;
    const config = await loadConfig({ env, cwd, flags });
    for (const warning of config.warnings) this.note(warning);
    return config;
  }

  /**
   * Prints warnings about what others may do with a daemon that was just started. The daemon itself can write these
   * warnings only to its log.
   */
  protected noteExposure(config: Config): void {
    for (const warning of startWarnings(config)) this.note(warning);
    const pages = plannedPages(config, startOf(config).mode, process.platform);
    if (pages?.opened_by.includes("forwarder") === true)
      this.remark(
        "its pages open without a token: set [auth] token before you forward their port (an SSH tunnel, a proxy, a container)",
      );
  }
}
