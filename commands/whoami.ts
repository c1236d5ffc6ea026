import { OfflineCommand } from "../src/cli/bases/offline-command.ts";
import { examples } from "../src/cli/flags/flags.ts";
import { answer } from "../src/cli/output/output.ts";

export default class Whoami extends OfflineCommand {
  static override summary = "show the actor of your changes, and where the name comes from";
  static override description =
    "It is the first that is not blank of --as, SVC_AUTHOR, USER and git's user.name, otherwise anonymous. Names the project of --project or SVC_PROJECT too. Needs no daemon; a daemon with tokens or behind a proxy may know better.";
  static override examples = examples({
    "Who am I here": "svc whoami",
    "Be somebody else for one command": "svc whoami --as ann",
  });

  async run(): Promise<void> {
    await this.parse(Whoami);
    const session = await this.session();
    const { actor, source } = await session.who();
    const project = await session.chosenProject();
    await this.print(answer({ actor, source, project }), "system", ({ whoamiView }) => whoamiView);
  }
}
