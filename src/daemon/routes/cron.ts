import * as jobs from "../../contract/cron-jobs.ts";
import * as ledger from "../../contract/cron-ledger.ts";
import * as runs from "../../contract/cron-runs.ts";
import * as workflows from "../../contract/cron-workflows.ts";
import * as change from "../../ops/cron/change.ts";
import { createCronJob, createCronWorkflow } from "../../ops/cron/create.ts";
import { previewCronJob, showCronJobLedger } from "../../ops/cron/ledger.ts";
import * as read from "../../ops/cron/read.ts";
import { observeCronRun } from "../../ops/cron/runs/observe.ts";
import { listCronRuns, showCronRun } from "../../ops/cron/runs/read.ts";
import { reportCronRuns } from "../../ops/cron/runs/report.ts";
import type { UngatedDeps } from "../../ops/deps.ts";
import type { App } from "../app.ts";
import type { Aside } from "../aside/aside.ts";
import { bindAside } from "../aside/bind-aside.ts";
import { bind } from "../bind.ts";

export function cronRoutes(app: App, deps: UngatedDeps, aside: Aside | undefined): void {
  bindAside(app, deps, aside, jobs.listCronJobs, read.listCronJobs);
  bind(app, deps, jobs.createCronJob, createCronJob);
  bind(app, deps, jobs.showCronJob, read.showCronJob);
  bind(app, deps, jobs.replaceCronJob, change.replaceCronJob);
  bind(app, deps, jobs.archiveCronJob, change.archiveCronJob);
  bind(app, deps, jobs.restoreCronJob, change.restoreCronJob);
  bind(app, deps, ledger.previewCronJob, previewCronJob);
  bindAside(app, deps, aside, ledger.showCronJobLedger, showCronJobLedger);
  bindAside(app, deps, aside, workflows.listCronWorkflows, read.listCronWorkflows);
  bind(app, deps, workflows.createCronWorkflow, createCronWorkflow);
  bind(app, deps, workflows.showCronWorkflow, read.showCronWorkflow);
  bind(app, deps, workflows.replaceCronWorkflow, change.replaceCronWorkflow);
  bind(app, deps, workflows.archiveCronWorkflow, change.archiveCronWorkflow);
  bind(app, deps, workflows.restoreCronWorkflow, change.restoreCronWorkflow);
  bindAside(app, deps, aside, runs.listCronRuns, listCronRuns);
  bindAside(app, deps, aside, runs.reportCronRuns, reportCronRuns);
  bind(app, deps, runs.showCronRun, showCronRun);
  bind(app, deps, runs.observeCronRun, observeCronRun);
}
