import Create from "../../node_modules/@oclif/plugin-autocomplete/lib/commands/autocomplete/create.js";
import { printFailure } from "../../src/cli/bases/oclif-command.ts";

export default class extends Create {
  override async catch(error: unknown): Promise<void> {
    await printFailure(error, this, Create);
  }
}
