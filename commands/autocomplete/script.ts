import Script from "../../node_modules/@oclif/plugin-autocomplete/lib/commands/autocomplete/script.js";
import { tellFailure } from "../../src/cli/stock-command.ts";

export default class extends Script {
  override async catch(error: unknown): Promise<void> {
    await tellFailure(error, this, Script);
  }
}
