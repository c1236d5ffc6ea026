import { LimitedCommand } from "../src/cli/bases/limited-command.ts";
import { maxBytesFlag } from "../src/cli/flags/budget.ts";
import { examples } from "../src/cli/flags/flags.ts";
import { listLabels } from "../src/contract/labels.ts";

export default class Labels extends LimitedCommand {
  static override summary = "list the labels in use and how many issues carry each";
  static override flags = maxBytesFlag;
  static override examples = examples({
    "Labels of this project": "svc labels",
  });

  async run(): Promise<void> {
    const { flags } = await this.parse(Labels);
    this.boundHere(flags);
    const found = await this.call(listLabels, { params: { project_id: await this.projectId() } });
    await this.print(found, "labels", ({ labelsView }) => labelsView);
  }
}
