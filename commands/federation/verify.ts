import { SvcCommand } from "../../src/cli/bases/svc-command.ts";
import { CommandError } from "../../src/cli/failure/failure.ts";
import { booleanFlag, examples, optionalArg } from "../../src/cli/flags/flags.ts";
import { verifyFederationReplica } from "../../src/contract/federation-verify.ts";

export default class FederationVerify extends SvcCommand {
  static override summary = "compare a copy with its hub, and name the first event that differs";
  static override description =
    "Asks the hub for sums of the content hashes of its events, and compares them with those of the copy, up to where the copy has read. With --rows it also compares a hash of the rows of each issue, and of the project, its workflows, jobs and runs: equal events and different rows mean that one of the daemons has made wrong rows, or is older. Nothing is changed. The exit code is 1 if something differs; nothing is said to be equal that could not be compared.";
  static override args = { project: optionalArg("name or id of the project") };
  static override flags = {
    rows: booleanFlag("compare the rows of issues, jobs, workflows, runs and the project too"),
  };
  static override examples = examples({
    "After svc doctor has warned": "svc federation verify web",
    "Rows too, as JSON": "svc federation verify web --rows --json",
  });

  async run(): Promise<void> {
    const { args, flags } = await this.parse(FederationVerify);
    const { id: project_id } = await this.selectProject(args.project);
    const body = flags.rows ? { rows: true } : {};
    const found = await this.call(verifyFederationReplica, { params: { project_id }, body });
    await this.print(found, "verified", ({ verifiedView }) => verifiedView);
    const { state, rows } = found.body();
    if (rows?.state === "partial")
      this.note("svc: partial: the hub is older, so only issues were compared");
    if (state === "different" || rows?.state === "different")
      throw new CommandError("checks_failed", "the copy differs from its hub");
  }
}
