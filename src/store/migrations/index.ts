import type { Migration } from "../upgrade/migrate.ts";
import { core } from "./0001_core.ts";
import { purgeAndMove } from "./0002_purge_and_move.ts";
import { leases } from "./0003_leases.ts";
import { activity } from "./0004_activity.ts";
import { eventFilters } from "./0005_event_filters.ts";
import { past } from "./0006_past.ts";
import { cronDefinitions } from "./0007_cron_definitions.ts";
import { recurrences } from "./0008_recurrences.ts";
import { cronRuns } from "./0031_cron_runs.ts";
import { erasure } from "./0032_erasure.ts";
import { election } from "./0033_election.ts";
import { importIssue } from "./0034_import_issue.ts";
import { takeKeys } from "./0035_take_keys.ts";
import { takeIndex } from "./0036_take_index.ts";
import { textWord } from "./0037_text_word.ts";
import { issueFilters } from "./0038_issue_filters.ts";
import { importEvent } from "./0039_import_event.ts";
import { apiToken } from "./0040_api_token.ts";
import { textBlocks } from "./0041_text_blocks.ts";
import { runGroups } from "./0042_run_groups.ts";
import { recentIssues } from "./0043_recent_issues.ts";
import { purgedIssues } from "./0044_purged_issues.ts";
import { logChain } from "./0045_log_chain.ts";
import { daemonCommit } from "./0046_daemon_commit.ts";
import { doctorCheckpoint } from "./0047_doctor_checkpoint.ts";
import { issueSync } from "./0048_issue_sync.ts";
import { assignedIds } from "./0049_assigned_ids.ts";
import { waitingLinks } from "./0050_waiting_links.ts";
import { federation } from "./0051_federation.ts";
import { hubLog } from "./0052_hub_log.ts";
import { baselineClaim } from "./0053_baseline_claim.ts";
import { eventIndexes } from "./0054_event_indexes.ts";
import { keysOfInstances } from "./0055_keys_of_instances.ts";
import { projectClocks } from "./0056_project_clocks.ts";
import { pushedEvents } from "./0057_pushed_events.ts";
import { federationDigest } from "./0058_federation_digest.ts";
import { meaning } from "./0059_meaning.ts";
import { bridges } from "./0060_bridges.ts";

/**
 * All migrations in order; the number of the last one is the schema version. A released migration is never edited. The
 * contract gives version 31 to a storage that holds jobs, workflows and runs
 * (docs/contract/cron-and-inbox.md#5-events-storage-federation), so 9 to 30 do not exist.
 */
export const MIGRATIONS: readonly Migration[] = [
  core,
  purgeAndMove,
  leases,
  activity,
  eventFilters,
  past,
  cronDefinitions,
  recurrences,
  cronRuns,
  erasure,
  election,
  importIssue,
  takeKeys,
  takeIndex,
  textWord,
  issueFilters,
  importEvent,
  apiToken,
  textBlocks,
  runGroups,
  recentIssues,
  purgedIssues,
  logChain,
  daemonCommit,
  doctorCheckpoint,
  issueSync,
  assignedIds,
  waitingLinks,
  federation,
  hubLog,
  baselineClaim,
  eventIndexes,
  keysOfInstances,
  projectClocks,
  pushedEvents,
  federationDigest,
  meaning,
  bridges,
];
