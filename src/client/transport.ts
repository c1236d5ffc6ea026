import * as actions from "../contract/actions.ts";
import * as activity from "../contract/activity.ts";
import * as bridges from "../contract/bridges.ts";
import * as comments from "../contract/comments.ts";
import * as cronJobs from "../contract/cron-jobs.ts";
import * as cronLedger from "../contract/cron-ledger.ts";
import * as cronRuns from "../contract/cron-runs.ts";
import * as cronWorkflows from "../contract/cron-workflows.ts";
import * as graph from "../contract/graph.ts";
import * as health from "../contract/health.ts";
import * as holders from "../contract/holders.ts";
import * as inbox from "../contract/inbox.ts";
import * as issues from "../contract/issues.ts";
import * as labels from "../contract/labels.ts";
import * as leases from "../contract/leases.ts";
import * as projects from "../contract/projects.ts";
import * as recurrences from "../contract/recurrences.ts";
import * as removal from "../contract/removal.ts";
import * as search from "../contract/search.ts";
import * as uiReferences from "../contract/ui-references.ts";
import type { Transport } from "../shared/transport.ts";
import type { Client } from "./client.ts";
import { transportTo } from "./transport-to.ts";

export function transportOf(client: Client): Transport {
  return transportTo(client, {
    ...actions,
    ...activity,
    ...bridges,
    ...comments,
    ...cronJobs,
    ...cronLedger,
    ...cronRuns,
    ...cronWorkflows,
    ...graph,
    ...health,
    ...holders,
    ...inbox,
    ...issues,
    ...labels,
    ...leases,
    ...projects,
    ...recurrences,
    ...removal,
    ...search,
    ...uiReferences,
  });
}
