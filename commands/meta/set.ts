import { SvcCommand } from "../../src/cli/bases/svc-command.ts";
import {
  arg,
  booleanFlag,
  examples,
  fenceFlag,
  ifMatchFlag,
  refArg,
} from "../../src/cli/flags/flags.ts";
import { patchIssueMetadata } from "../../src/contract/issues.ts";
import { metadataValue, withJsonAdvice } from "../../src/shared/metadata.ts";
import { ifMatchTyped } from "../../src/shared/revision.ts";

export default class MetaSet extends SvcCommand {
  static override summary = "set a metadata key of an issue";
  static override args = {
    ref: refArg(),
    key: arg("the key"),
    value: arg("the value, text unless --json-value"),
  };
  static override flags = {
    "json-value": booleanFlag("the value is JSON"),
    ...ifMatchFlag,
    ...fenceFlag,
  };
  static override examples = examples({
    "A branch": "svc meta set abc4 work.branch fix/login",
    "Not now: someday": "svc meta set abc4 someday true --json-value",
    "Only if nobody changed it since revision 3": "svc meta set abc4 area ui --if-match 3",
  });

  async run(): Promise<void> {
    const { args, flags } = await this.parse(MetaSet);
    const headers = ifMatchTyped(flags["if-match"]);
    const isJson = flags["json-value"] === true;
    const value = metadataValue(args.value, isJson);
    const set = await this.call(patchIssueMetadata, {
      params: await this.target(args.ref),
      headers,
      body: { patch: { [args.key]: value }, actor: await this.actor() },
    }).catch((error: unknown) => {
      throw withJsonAdvice(error, args.value, isJson);
    });
    await this.print(set, "meta", ({ metaChangedView }) => metaChangedView("set", args.key));
  }
}
