import type { OfflineSession } from "../session/offline-session.ts";
import { BaseCommand } from "./base-command.ts";

/**
 * Base of the commands that need no daemon (docs/contract/command-line.md#210-which-start-no-daemon). The session of
 * such a command can neither call nor start a daemon, so the command works where no daemon may run.
 */
export abstract class OfflineCommand extends BaseCommand {
  #session: OfflineSession | undefined;

  protected override async session(): Promise<OfflineSession> {
    if (this.#session === undefined) {
      const { OfflineSession } = await import("../session/offline-session.ts");
      const { context, globals } = this;
      this.#session = new OfflineSession({ context, globals });
    }
    return this.#session;
  }
}
