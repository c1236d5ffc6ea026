import { SvcCommand } from "../../src/cli/bases/svc-command.ts";
import { examples } from "../../src/cli/flags/flags.ts";
import { instance } from "../../src/contract/health.ts";

export default class FederationIdentity extends SvcCommand {
  static override summary = "print the uid by which a hub knows this daemon's database";
  static override description =
    "It is made with the database. A database that is restored with --new-instance gets another one.";
  static override examples = examples({
    "What the owner of a hub needs to enroll this daemon": "svc federation identity",
    "For a script": "svc federation identity --json",
  });

  async run(): Promise<void> {
    await this.parse(FederationIdentity);
    const found = await this.call(instance, {});
    await this.print(found, "federation", ({ identityView }) => identityView);
  }
}
