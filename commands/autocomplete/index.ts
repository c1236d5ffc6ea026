import Index from "../../node_modules/@oclif/plugin-autocomplete/lib/commands/autocomplete/index.js";
import { tellFailure } from "../../src/cli/stock-command.ts";

export default class extends Index {
  override async catch(error: unknown): Promise<void> {
    await tellFailure(error, this, Index);
  }
}
