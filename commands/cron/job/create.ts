import {
  DefinitionCommand,
  documentFlag,
  uidFlag,
} from "../../../src/cli/bases/definition-command.ts";
import { parentFlag, withParent } from "../../../src/cli/bases/parent-flag.ts";
import { examples } from "../../../src/cli/flags/flags.ts";
import { createCronJob } from "../../../src/contract/cron-jobs.ts";

export default class CronJobCreate extends DefinitionCommand {
  static override summary = "define a job from a file";
  static override description =
    `svc itself delivers a job with the action notify and the issue policy per-run: each time it is due, its parent gets a child issue and the recipient gets a request. All other jobs are run by an adapter. The file is JSON, for example:

  {
    "name": "Weekday check",
    "definition": {
      "version": 1,
      "kind": "job",
      "enabled": true,
      "trigger": {
        "kind": "cron",
        "cron": "0 9 * * 1-5",
        "timezone": "Europe/Berlin"
      },
      "action": {"kind": "notify", "recipient": "current-owner-or-author"},
      "issue": {"kind": "per-run", "title": "Weekday check"},
      "overlap": "allow",
      "catchup": "latest"
    }
  }`;
  static override flags = {
    ...documentFlag,
    ...uidFlag("job"),
    ...parentFlag,
  };
  static override examples = examples({
    "A child of abc4 on every weekday": "svc cron job create --file check.json --parent abc4",
    "Again after a lost answer":
      "svc cron job create --file check.json --uid 01K4M0000000000000000000E1",
  });

  async run(): Promise<void> {
    const { flags } = await this.parse(CronJobCreate);
    const created = await this.call(
      createCronJob,
      await this.creationOf(flags, withParent(flags.parent)),
    );
    this.printJson(created);
    await this.noteIdle(created.json);
  }
}
