import { JobCommand } from "../../../src/cli/bases/job-command.ts";
import { parentFlag, withParent } from "../../../src/cli/bases/parent-flag.ts";
import { usage } from "../../../src/cli/failure/failure.ts";
import { examples, integerFlag, optionalArg, textFlag } from "../../../src/cli/flags/flags.ts";
import { previewCronJob } from "../../../src/contract/cron-ledger.ts";
import { previewCronDefinition } from "../../../src/contract/cron-preview.ts";

export default class CronJobPreview extends JobCommand {
  static override summary = "show the next due times of a job, or of a file before it becomes one";
  static override description =
    "A time that is skipped when clocks go forward is not due; one that is repeated when they go back is due twice. The first time after a clock change is marked. With --file nothing is created: the file is checked as svc cron job create would check it, and intervals are counted from now.";
  static override args = { job: optionalArg("the job's name or uid") };
  static override flags = {
    limit: integerFlag("number of due times, default 10", "<n>", { char: "n", min: 1 }),
    from: textFlag(
      "due times from this day (mon, 2026-01-31) or instant on, instead of from now on",
      "<time>",
    ),
    file: textFlag("JSON with name and definition, - for standard input", "<path>"),
    parent: { ...parentFlag.parent, dependsOn: ["file"] },
  };
  static override examples = examples({
    "The next three times": "svc cron job preview nightly -n 3",
    "Around a clock change": "svc cron job preview nightly --from 2027-03-27",
    "Before the file becomes a job": "svc cron job preview --file check.json --parent abc4",
  });

  async run(): Promise<void> {
    const { args, flags } = await this.parse(CronJobPreview);
    const { limit, file } = flags;
    if ((args.job === undefined) === (file === undefined))
      throw usage(
        "name either a job or a file",
        "svc cron job preview <job>, or svc cron job preview --file <path>",
      );
    const from =
      flags.from === undefined ? undefined : await this.instant("--from", flags.from, "ahead");
    if (from !== undefined || file !== undefined)
      await (await this.session()).requireApi("0.15.0", "update the daemon");
    const shown =
      file === undefined
        ? await this.onJob(
            args.job ?? "",
            async (params) => await this.call(previewCronJob, { params, query: { limit, from } }),
          )
        : await this.ofFile(file, flags.parent, { limit, from });
    await this.print(shown, "cron", ({ previewView }) => previewView);
  }

  private async ofFile(
    file: string,
    parent: string | undefined,
    range: { readonly limit: number | undefined; readonly from: string | undefined },
  ) {
    const { params, body } = await this.documentOf(file, withParent(parent));
    return await this.call(previewCronDefinition, { params, body: { ...body, ...range } });
  }
}
