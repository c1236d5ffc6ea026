import * as jobs from "../../contract/cron-jobs.ts";
import * as ledger from "../../contract/cron-ledger.ts";
import * as preview from "../../contract/cron-preview.ts";
import * as runs from "../../contract/cron-runs.ts";
import * as workflows from "../../contract/cron-workflows.ts";
import * as change from "../../ops/cron/change.ts";
import { createCronJob, createCronWorkflow } from "../../ops/cron/create.ts";
import { previewCronDefinition, previewCronJob } from "../../ops/cron/preview.ts";
import * as read from "../../ops/cron/read.ts";
import { observeCronRun } from "../../ops/cron/runs/observe.ts";
import { showCronRun } from "../../ops/cron/runs/read.ts";
import { sweepCronJob } from "../../ops/cron/sweep.ts";
import type { UngatedDeps } from "../../ops/deps.ts";
import type { App } from "../app.ts";
import { bind } from "../bind.ts";

export function cronRoutes(app: App, deps: UngatedDeps): void {
  bind(app, deps, jobs.createCronJob, createCronJob);
  bind(app, deps, jobs.showCronJob, read.showCronJob);
  bind(app, deps, jobs.replaceCronJob, change.replaceCronJob);
  bind(app, deps, jobs.archiveCronJob, change.archiveCronJob);
  bind(app, deps, jobs.restoreCronJob, change.restoreCronJob);
  bind(app, deps, ledger.previewCronJob, previewCronJob);
  bind(app, deps, preview.previewCronDefinition, previewCronDefinition);
  bind(app, deps, ledger.sweepCronJob, sweepCronJob);
  bind(app, deps, workflows.createCronWorkflow, createCronWorkflow);
  bind(app, deps, workflows.showCronWorkflow, read.showCronWorkflow);
  bind(app, deps, workflows.replaceCronWorkflow, change.replaceCronWorkflow);
  bind(app, deps, workflows.archiveCronWorkflow, change.archiveCronWorkflow);
  bind(app, deps, workflows.restoreCronWorkflow, change.restoreCronWorkflow);
  bind(app, deps, runs.showCronRun, showCronRun);
  bind(app, deps, runs.observeCronRun, observeCronRun);
}
