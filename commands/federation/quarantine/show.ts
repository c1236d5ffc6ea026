import { LimitedCommand } from "../../../src/cli/bases/limited-command.ts";
import { maxBytesFlag } from "../../../src/cli/flags/budget.ts";
import { arg, examples } from "../../../src/cli/flags/flags.ts";
import { batchId } from "../../../src/cli/input/quarantine.ts";
import { showFederationQuarantine } from "../../../src/contract/federation-quarantine.ts";

export default class FederationQuarantineShow extends LimitedCommand {
  static override summary = "show a batch of changes that the hub refused, with its events";
  static override description =
    "Says why the hub refused it, which issues its events are about, and what a retry and a skip do.";
  static override args = { id: arg("the id in svc federation quarantine list") };
  static override flags = maxBytesFlag;
  static override examples = examples({
    "One batch": "svc federation quarantine show 3",
    "The kinds of its events":
      "svc federation quarantine show 3 --json | jq -r '.events[].type' | sort | uniq -c",
  });

  async run(): Promise<void> {
    const { args, flags } = await this.parse(FederationQuarantineShow);
    this.boundHere(flags);
    const quarantine_id = batchId(args.id);
    const params = { project_id: await this.projectId(), quarantine_id };
    const found = await this.call(showFederationQuarantine, { params });
    await this.print(found, "quarantine", ({ quarantineView }) =>
      quarantineView(this.globals.project),
    );
  }
}
