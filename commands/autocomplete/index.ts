import { writeFileSync } from "node:fs";
import { join } from "node:path";
import Index from "../../node_modules/@oclif/plugin-autocomplete/lib/commands/autocomplete/index.js";
import { printFailure } from "../../src/cli/bases/oclif-command.ts";
import { bashScript } from "../../src/cli/completion/bash.ts";
import { completionsOf } from "../../src/cli/completion/model.ts";
import { allCommands } from "../../src/cli/start/help.ts";

export default class extends Index {
  override async run(): Promise<void> {
    await super.run();
    // This file replaces the script that oclif has written for bash, because that one cannot complete values.
    const { root, version } = this.config;
    const offered = completionsOf(await allCommands(root, version));
    const file = join(this.autocompleteCacheDir, "functions", "bash", "svc.bash");
    writeFileSync(file, bashScript(offered));
  }

  override async catch(error: unknown): Promise<void> {
    await printFailure(error, this, Index);
  }
}
