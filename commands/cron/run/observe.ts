import { DefinitionCommand, jsonObjectOf } from "../../../src/cli/bases/definition-command.ts";
import { arg, examples, requiredFlag } from "../../../src/cli/flags/flags.ts";
import { runTeammate } from "../../../src/cli/session/teammate.ts";
import { observeCronRun } from "../../../src/contract/cron-runs.ts";
import { invalid } from "../../../src/contract/errors.ts";
import type { CallInput } from "../../../src/contract/route.ts";

type Body = CallInput<typeof observeCronRun>["body"];

export default class CronRunObserve extends DefinitionCommand {
  static override summary = "create or update the record of a run";
  static override description =
    `A run is evidence: recording it starts and stops nothing. Repeating the same observation changes nothing. The JSON:

  {
    "job_uid": "…",
    "definition_event_uid": "…",
    "status": "running",
    "summary": {
      "version": 1,
      "message": "…",
      "input_tokens": 0,
      "output_tokens": 0
    },
    "started_at": "2026-01-01T09:00:00Z",
    "expected_revision": 0
  }

and workflow_uid with workflow_definition_event_uid, issue_uid, occurrence_key, teammate, executor_label, ended_at. To change a run, give its current revision as expected_revision. If the JSON names no teammate, --teammate or SVC_TEAMMATE is credited.`;
  static override args = { uid: arg("the run's uid, which the adapter creates once and reuses") };
  static override flags = {
    "json-input": requiredFlag("the observation as JSON, - for standard input", "<path>"),
  };
  static override examples = examples({
    "A run has begun": "svc cron run observe 01K4M0000000000000000000R1 --json-input run.json",
  });

  async run(): Promise<void> {
    const { args, flags } = await this.parse(CronRunObserve);
    const run_uid = this.requireUid(args.uid);
    const path = flags["json-input"];
    const sent = jsonObjectOf(path, this.context);
    const { teammate: json, actor: named, ...rest } = sent;
    if (named !== undefined && typeof named !== "string")
      throw invalid(`${path}: actor must be text`);
    const actor = await this.actorWith(named === undefined ? {} : { actor: named });
    const session = await this.session();
    const teammate = runTeammate({
      json,
      flag: this.globals.teammate,
      environment: (await session.client()).config.settings.teammate,
    });
    const params = { project_id: await this.projectId(), run_uid };
    // All other fields are sent unchanged. The daemon checks them and refuses unknown ones.
    const body = {
      ...rest,
      actor,
      ...(teammate === undefined ? {} : { teammate }),
    } as unknown as Body;
    this.printJson(await this.call(observeCronRun, { params, body }));
  }
}
