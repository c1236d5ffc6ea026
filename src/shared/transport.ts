import type * as actions from "../contract/actions.ts";
import type * as activity from "../contract/activity.ts";
import type * as bridges from "../contract/bridges.ts";
import type * as comments from "../contract/comments.ts";
import type * as cronJobs from "../contract/cron-jobs.ts";
import type * as cronLedger from "../contract/cron-ledger.ts";
import type * as cronRuns from "../contract/cron-runs.ts";
import type * as cronWorkflows from "../contract/cron-workflows.ts";
import type * as graph from "../contract/graph.ts";
import type * as health from "../contract/health.ts";
import type * as holders from "../contract/holders.ts";
import type * as inbox from "../contract/inbox.ts";
import type * as issues from "../contract/issues.ts";
import type * as labels from "../contract/labels.ts";
import type * as leases from "../contract/leases.ts";
import type * as projects from "../contract/projects.ts";
import type * as recurrences from "../contract/recurrences.ts";
import type * as removal from "../contract/removal.ts";
import type { CallInput, Output, Route } from "../contract/route.ts";
import type * as search from "../contract/search.ts";
import type * as uiReferences from "../contract/ui-references.ts";

type Contract = typeof actions &
  typeof activity &
  typeof bridges &
  typeof comments &
  typeof cronJobs &
  typeof cronLedger &
  typeof cronRuns &
  typeof cronWorkflows &
  typeof graph &
  typeof health &
  typeof holders &
  typeof inbox &
  typeof issues &
  typeof labels &
  typeof leases &
  typeof projects &
  typeof recurrences &
  typeof removal &
  typeof search &
  typeof uiReferences;

/** The routes that a screen may call, by id. */
export type ScreenRoutes = {
  readonly [Id in keyof Contract as Contract[Id] extends Route ? Id : never]: Contract[Id];
};

/** The routes that no page may call (docs/contract/connectors.md#8-who-may-use-connectors). */
export type NoPageRoutes = keyof ScreenRoutes & keyof typeof bridges;

/**
 * Calls a daemon, over a socket or with a page's fetch. Routes are named by id, because importing their schemas would
 * load zod. Throws an `SvcError` if the daemon refuses with a known code.
 */
export interface Transport<Known extends keyof ScreenRoutes = keyof ScreenRoutes> {
  call<Id extends Known>(
    id: Id,
    input: CallInput<ScreenRoutes[Id]>,
  ): Promise<Output<ScreenRoutes[Id]>>;
  /** The answer as text, so that numbers keep their spelling. */
  text<Id extends Known>(id: Id, input: CallInput<ScreenRoutes[Id]>): Promise<string>;
}
