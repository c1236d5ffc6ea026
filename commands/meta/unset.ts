import { SvcCommand } from "../../src/cli/bases/svc-command.ts";
import { arg, examples, fenceFlag, ifMatchFlag, refArg } from "../../src/cli/flags/flags.ts";
import { patchIssueMetadata } from "../../src/contract/issues.ts";
import { ifMatchTyped } from "../../src/shared/revision.ts";

export default class MetaUnset extends SvcCommand {
  static override summary = "remove a metadata key from an issue";
  static override args = { ref: refArg(), key: arg("the key") };
  static override flags = { ...ifMatchFlag, ...fenceFlag };
  static override examples = examples({
    "No branch any more": "svc meta unset abc4 work.branch",
  });

  async run(): Promise<void> {
    const { args, flags } = await this.parse(MetaUnset);
    const headers = ifMatchTyped(flags["if-match"]);
    const unset = await this.call(patchIssueMetadata, {
      params: await this.target(args.ref),
      headers,
      body: { patch: { [args.key]: null }, actor: await this.actor() },
    });
    await this.print(unset, "meta", ({ metaChangedView }) => metaChangedView("unset", args.key));
  }
}
