import Script from "../../node_modules/@oclif/plugin-autocomplete/lib/commands/autocomplete/script.js";
import { printFailure } from "../../src/cli/bases/oclif-command.ts";

export default class extends Script {
  override async catch(error: unknown): Promise<void> {
    await printFailure(error, this, Script);
  }
}
