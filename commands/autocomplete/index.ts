import Index from "../../node_modules/@oclif/plugin-autocomplete/lib/commands/autocomplete/index.js";
import { printFailure } from "../../src/cli/oclif-command.ts";

export default class extends Index {
  override async catch(error: unknown): Promise<void> {
    await printFailure(error, this, Index);
  }
}
