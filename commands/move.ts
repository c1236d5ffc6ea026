import { SvcCommand } from "../src/cli/bases/svc-command.ts";
import {
  arg,
  booleanFlag,
  commentFlag,
  examples,
  fenceFlag,
  refArg,
} from "../src/cli/flags/flags.ts";
import { answer } from "../src/cli/output/output.ts";
import { readIssue } from "../src/cli/session/issue-name.ts";
import { moveIssue } from "../src/contract/removal.ts";
import { ifMatch } from "../src/shared/revision.ts";

export default class Move extends SvcCommand {
  static override summary = "move an issue to another project";
  static override description =
    "Its uid, comments, links and history stay. Its short id stays too, unless the target project has had an issue of that id; then the new id is printed.";
  static override args = {
    ref: refArg(),
    project: arg("the project: its name, id, or repository"),
  };
  static override flags = {
    "dry-run": booleanFlag("print what would happen and change nothing", {
      exclusive: ["comment", "fence"],
    }),
    ...commentFlag,
    ...fenceFlag,
  };
  static override examples = examples({
    "It belongs to the shop": "svc move abc4 shop",
    "Look first": "svc move abc4 shop --dry-run",
  });

  async run(): Promise<void> {
    const { args, flags } = await this.parse(Move);
    const params = await this.target(args.ref);
    const session = await this.session();
    const { uid, name, id } = await this.selectProject(args.project);
    const { revision, qualified_id, title } = await readIssue(session, params);
    if (flags["dry-run"] === true) {
      const plan = { dry_run: true, issue: qualified_id, title, to_project: name };
      return await this.print(answer(plan), "removal", ({ movePlanView }) => movePlanView);
    }
    const moved = await this.call(moveIssue, {
      params,
      headers: ifMatch(revision),
      body: { to_project_uid: uid, actor: await this.actor() },
    });
    await this.print(moved, "removal", ({ moveView }) => moveView);
    const { short_id } = moved.body().issue;
    await this.alsoComment({ project_id: id, ref: short_id }, flags.comment);
  }
}
