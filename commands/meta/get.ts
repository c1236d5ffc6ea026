import { SvcCommand } from "../../src/cli/bases/svc-command.ts";
import { CommandError } from "../../src/cli/failure/failure.ts";
import { examples, optionalArg, refArg } from "../../src/cli/flags/flags.ts";
import { answer } from "../../src/cli/output/output.ts";
import { readIssue } from "../../src/cli/session/issue-name.ts";

export default class MetaGet extends SvcCommand {
  static override summary = "show the metadata of an issue, or one key of it";
  static override args = { ref: refArg(), key: optionalArg("only this key") };
  static override examples = examples({
    "All of it": "svc meta get abc4",
    "One key, as it is": "svc meta get abc4 work.branch",
  });

  async run(): Promise<void> {
    const { args } = await this.parse(MetaGet);
    const params = await this.target(args.ref);
    const { qualified_id: ref, revision, metadata } = await readIssue(await this.session(), params);
    const { key } = args;
    if (key === undefined) {
      const all = answer({ ref, revision, metadata });
      return await this.print(all, "meta", ({ metaView }) => metaView);
    }
    const value = Object.hasOwn(metadata, key) ? metadata[key] : undefined;
    if (value === undefined) {
      const message = `${ref} has no metadata key ${JSON.stringify(key)}`;
      throw new CommandError("not_found", message, { code: "not_found" });
    }
    const one = answer({ ref, revision, key, value });
    await this.print(one, "meta", ({ metaValueView }) => metaValueView);
  }
}
