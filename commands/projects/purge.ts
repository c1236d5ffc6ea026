import { SvcCommand } from "../../src/cli/bases/svc-command.ts";
import { arg, examples, textFlag } from "../../src/cli/flags/flags.ts";
import { confirmation, confirmFlags, ERASED, NAME_KEPT } from "../../src/cli/input/confirm.ts";
import { purgeProject } from "../../src/contract/project-actions.ts";
import { purgeConfirmation } from "../../src/domain/confirm.ts";

export default class ProjectsPurge extends SvcCommand {
  static override summary = "erase an archived project with everything in it, for ever";
  static override description =
    `Archive it first with svc projects remove. It cannot be restored; a record of what was erased and by whom is kept. ${NAME_KEPT} ${ERASED} Issues that moved to other projects before stay.`;
  static override args = { project: arg("its name or id") };
  static override flags = {
    ...confirmFlags,
    reason: textFlag("reason, kept for the record", "<text>"),
  };
  static override examples = examples({
    "A trial that nobody needs": 'svc projects purge trial --force --confirm "PURGE trial"',
  });

  async run(): Promise<void> {
    const { args, flags } = await this.parse(ProjectsPurge);
    const { id, name } = await this.selectProject(args.project);
    const headers = await confirmation(
      this,
      flags,
      async () => await Promise.resolve(purgeConfirmation(name)),
      NAME_KEPT,
    );
    const purged = await this.call(purgeProject, {
      params: { project_id: id },
      headers,
      body: { actor: await this.actor(), reason: flags.reason },
    });
    await this.print(purged, "project-actions", ({ purgedView }) => purgedView);
  }
}
