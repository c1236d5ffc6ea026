import * as Flags from "@oclif/core/flags";
import { systemClock } from "../../src/base/clock.ts";
import { DaemonCommand } from "../../src/cli/bases/daemon-command.ts";
import { booleanFlag, examples } from "../../src/cli/flags/flags.ts";
import { daemonLogPath, refusalLogPath, runtimeDir } from "../../src/config/paths.ts";

export default class DaemonLogs extends DaemonCommand {
  static override summary = "show the log of this database's daemon";
  static override description =
    "The last entries, oldest first, also when no daemon runs. With --json each entry is one JSON object on a line of its own.";
  static override flags = {
    limit: Flags.integer({
      summary: "at most this many entries",
      helpValue: "<n>",
      default: 100,
      min: 1,
    }),
    tail: booleanFlag("print new entries as they come, until interrupted"),
    refusals: booleanFlag("show the log of requests that the daemon refused"),
  };
  static override examples = examples({
    "What it did last": "svc daemon logs",
    "Watch it": "svc daemon logs --tail --limit 10",
    "Which requests it refused": "svc daemon logs --refusals",
  });

  async run(): Promise<void> {
    const { flags } = await this.parse(DaemonLogs);
    const { home, dsn } = await this.localConfig();
    const path = (flags.refusals ? refusalLogPath : daemonLogPath)(runtimeDir(home, dsn));
    const { openLog } = await import("../../src/client/log-file.ts");
    const { logLine } = await import("../../src/cli/render/daemon-log.ts");
    const end = new AbortController();
    this.context.onInterrupt(() => end.abort());
    const log = openLog(path);
    try {
      const lines = log.last(flags.limit + 1);
      const shown = lines.slice(-flags.limit);
      for (const line of shown) this.writeLine(logLine(line, this.mode));
      const rows = { shown: shown.length, rows: flags.limit };
      this.noteCut({ truncated: lines.length > shown.length }, rows);
      if (!flags.tail) return;
      for await (const line of log.added(systemClock, end.signal))
        this.writeLine(logLine(line, this.mode));
    } finally {
      log.close();
    }
  }
}
