import * as Flags from "@oclif/core/flags";
import { OfflineCommand } from "../src/cli/bases/offline-command.ts";
import { examples } from "../src/cli/flags/flags.ts";

export default class OpenApi extends OfflineCommand {
  static override summary = "print the OpenAPI document of the HTTP API";
  static override description =
    "Made from the routes of this program itself: needs no daemon and no database. YAML, or JSON with --json. Version 3.0 is for code generators that do not read 3.1.";
  static override flags = {
    version: Flags.option({
      summary: "version of OpenAPI",
      options: ["3.1", "3.0"] as const,
      helpValue: "<3.1|3.0>",
      default: "3.1",
    })(),
  };
  static override examples = examples({
    "Read it": "svc openapi",
    "For a client generator": "svc openapi --version 3.0 > svc-openapi.yaml",
  });

  async run(): Promise<void> {
    const { flags } = await this.parse(OpenApi);
    if (this.mode === "json") {
      // The object gets no `svc_api_version`, because OpenAPI allows no other fields at the top.
      const { openApiDocument } = await import("../src/contract/openapi/document.ts");
      return this.writeLine(JSON.stringify(openApiDocument(flags.version)));
    }
    const { openApiYaml } = await import("../src/contract/openapi/text.ts");
    this.writeLine(openApiYaml(flags.version).trimEnd());
  }
}
