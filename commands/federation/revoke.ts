import { SvcCommand } from "../../src/cli/bases/svc-command.ts";
import { arg, examples } from "../../src/cli/flags/flags.ts";
import { invalid } from "../../src/contract/errors.ts";
import { revokeFederationEnrollment } from "../../src/contract/federation.ts";

export default class FederationRevoke extends SvcCommand {
  static override summary = "end an enrollment; its token is refused from the next request on";
  static override description =
    "What the other daemon has read, it keeps. An enrollment that was revoked before stays as it is.";
  static override args = { id: arg("the id in svc federation enrollments list") };
  static override examples = examples({
    "That of a machine that was sold": "svc federation revoke 3",
  });

  async run(): Promise<void> {
    const { args } = await this.parse(FederationRevoke);
    if (!/^[1-9]\d{0,14}$/.test(args.id))
      throw invalid(
        "that is no id of an enrollment",
        "svc federation enrollments list shows the ids; never type the token itself",
      );
    const params = { enrollment_id: Number(args.id) };
    const revoked = await this.call(revokeFederationEnrollment, { params });
    await this.print(revoked, "federation", ({ enrollmentRevokedView }) => enrollmentRevokedView);
  }
}
