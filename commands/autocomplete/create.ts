import Create from "../../node_modules/@oclif/plugin-autocomplete/lib/commands/autocomplete/create.js";
import { tellFailure } from "../../src/cli/stock-command.ts";

export default class extends Create {
  override async catch(error: unknown): Promise<void> {
    await tellFailure(error, this, Create);
  }
}
