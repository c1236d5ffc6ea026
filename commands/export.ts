import { systemClock } from "../src/base/clock.ts";
import { OfflineCommand } from "../src/cli/bases/offline-command.ts";
import { booleanFlag, examples, integerFlag, onOffFlag, textFlag } from "../src/cli/flags/flags.ts";
import { answer } from "../src/cli/output/output.ts";
import { steadyHeap } from "../src/cli/start/steady-heap.ts";
import { invalid } from "../src/contract/errors.ts";

export default class Export extends OfflineCommand {
  static override summary = "export the whole database to a file that any svc can restore";
  static override description =
    "Reads one consistent state of the database, without a daemon, and writes lines of JSON that do not depend on the kind of database. The file appears only when it is complete, and only you can read it. If the path is a pipe or a device, it is written to, not replaced.";
  static override flags = {
    output: textFlag(
      "the file to write, or - for standard output; default svc-export-<UTC time>.jsonl in this directory",
      "<path>",
      { char: "o" },
    ),
    "project-id": integerFlag("only the project with this local id (--project names one)", "<id>"),
    "include-deleted": onOffFlag(
      "include deleted issues and archived projects (the default); --no-include-deleted leaves them out",
      true,
    ),
    "allow-running-daemon": booleanFlag(
      "export while a daemon runs; changes made meanwhile may be missing",
    ),
  };
  static override examples = examples({
    "Through a pipe": "svc export --allow-running-daemon --output - | gzip > svc.jsonl.gz",
    "A backup": "svc export --allow-running-daemon",
    "One project": "svc export --project paper --output paper.jsonl",
  });

  async run(): Promise<void> {
    const { flags } = await this.parse(Export);
    const { databaseOf, requireLocal, requireNoDaemon } = await import(
      "../src/cli/flags/storage.ts"
    );
    const { config, target } = await (await this.session()).selection();
    requireLocal(target);
    const database = databaseOf(config, this.context.cwd);
    if (!flags["allow-running-daemon"])
      await requireNoDaemon(database, "or add --allow-running-daemon");
    steadyHeap();
    const { exportDatabase } = await import("../src/archive/index.ts");
    const { resolve } = await import("node:path");
    const path =
      flags.output === "-" ? "-" : resolve(this.context.cwd, flags.output ?? defaultName());
    const written = await exportDatabase(database, path, {
      includeDeleted: flags["include-deleted"],
      allowDaemon: flags["allow-running-daemon"],
      stdout: process.stdout,
      ...this.#chosenProject(flags["project-id"]),
    });
    // If the data went to standard output, no result is printed, because the result would be taken for a part of the
    // data.
    if (written.path === "-") return;
    await this.print(answer(written), "archive", ({ exportView }) => exportView);
  }

  #chosenProject(id: number | undefined) {
    const { project: name } = this.globals;
    if (id !== undefined && name !== undefined)
      throw invalid("--project and --project-id do not go together");
    if (id !== undefined) return { project: { id } };
    return name === undefined ? {} : { project: { name } };
  }
}

/**
 * The file name for an export, such as `svc-export-20260504T091500Z.jsonl`: it has the UTC time to the second, without
 * the characters that some file systems refuse.
 */
function defaultName(): string {
  const stamp = systemClock
    .now()
    .replace(/\.\d+Z$/, "Z")
    .replaceAll(/[-:]/g, "");
  return `svc-export-${stamp}.jsonl`;
}
