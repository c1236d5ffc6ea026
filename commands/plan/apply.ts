import { SvcCommand } from "../../src/cli/bases/svc-command.ts";
import { arg, examples, textFlag } from "../../src/cli/flags/flags.ts";
import { readPlan } from "../../src/cli/input/plan.ts";
import { applyPlan } from "../../src/contract/plans.ts";

export default class PlanApply extends SvcCommand {
  static override summary = "create a tree of issues from a file, all or none";
  static override description = `The file is JSON:

  {
    "plan": "release-2",
    "issues": [
      {"name": "api", "title": "Write the API", "labels": ["v2"]},
      {
        "name": "docs",
        "title": "Describe it",
        "parent": "api",
        "blocked_by": ["api"]
      }
    ]
  }

Issues name each other by name, and issues that exist by their id; fields: name, title, body, owner, priority, labels, parent, blocks, blocked_by, related, scheduled_on, deadline_on, metadata. A plan that was applied may be applied again: what it made is left as it is, and what was added to it is created. Everything that is wrong with it is listed at once.`;
  static override args = { file: arg("the plan's file, or - for standard input") };
  static override flags = {
    name: textFlag("the plan's name, instead of the one in the file", "<name>"),
  };
  static override examples = examples({
    "Start a project": "svc plan apply plan.json",
    "From a program, with the ids as JSON": "svc plan apply - --name release-2 --json",
  });

  async run(): Promise<void> {
    const { args, flags } = await this.parse(PlanApply);
    const plan = readPlan(args.file, this.context);
    const applied = await this.call(applyPlan, {
      params: { project_id: await this.projectId() },
      body: {
        ...plan,
        ...(flags.name === undefined ? {} : { plan: flags.name }),
        actor: await this.actor(),
      },
    });
    await this.print(applied, "plan", ({ planView }) => planView);
  }
}
