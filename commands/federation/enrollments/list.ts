import { LimitedCommand } from "../../../src/cli/bases/limited-command.ts";
import { maxBytesFlag } from "../../../src/cli/flags/budget.ts";
import { examples } from "../../../src/cli/flags/flags.ts";
import { listFederationEnrollments } from "../../../src/contract/federation.ts";

export default class FederationEnrollmentsList extends LimitedCommand {
  static override summary = "list the enrollments, revoked ones included";
  static override description =
    "Shows which daemon may read which project, in whose name it writes, and when its token was last used; never the token itself.";
  static override flags = maxBytesFlag;
  static override examples = examples({
    "All enrollments": "svc federation enrollments list",
    "Active ones that were never used":
      "svc federation enrollments list --json | jq '.enrollments[] | select(.revoked_at == null and .last_used_at == null)'",
  });

  async run(): Promise<void> {
    const { flags } = await this.parse(FederationEnrollmentsList);
    this.boundHere(flags);
    const found = await this.call(listFederationEnrollments, {});
    await this.print(found, "federation", ({ enrollmentListView }) => enrollmentListView);
  }
}
