import { SvcCommand } from "../../src/cli/bases/svc-command.ts";
import { booleanFlag, examples, refArg, requiredFlag } from "../../src/cli/flags/flags.ts";
import { bindExternalRoot } from "../../src/contract/bridges.ts";

export default class BridgeBind extends SvcCommand {
  static override summary = "let a record of another tracker own the words of an issue";
  static override description =
    "Title and body of the issue become those of the record, and follow it from then on; everything else of the issue stays. Existing comments stay where they are. Both are made alike at once: if the issue is closed, the record is completed, and if a mapped date is empty there, it gets the date of the issue.";
  static override args = { ref: refArg() };
  static override flags = {
    connector: requiredFlag("the id of a [[connector]] in the daemon's config.toml", "<id>"),
    external: requiredFlag("what names the record there, in the way of the connector", "<locator>"),
    "publish-comments": booleanFlag("also write later comments of the issue there"),
  };
  static override examples = examples({
    "A Markdown file": "svc bridge bind abc4 --connector files --external plan.md",
    "Comments go there too":
      "svc bridge bind abc4 --connector files --external plan.md --publish-comments",
  });

  async run(): Promise<void> {
    const { args, flags } = await this.parse(BridgeBind);
    await (await this.session()).requireApi("0.22.0", "update the daemon");
    const done = await this.call(bindExternalRoot, {
      params: await this.target(args.ref),
      body: {
        ...{ connector: flags.connector, external: flags.external, actor: await this.actor() },
        ...(flags["publish-comments"] ? { publish_comments: true } : {}),
      },
    });
    await this.print(done, "bridges", ({ bridgeView }) => bridgeView);
  }
}
