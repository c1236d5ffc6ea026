import { findRefs } from "./finding.ts";
import { readBridge } from "./reads/bridge.ts";
import { readCron, readJobRuns, readOlder } from "./reads/cron.ts";
import { readFleet } from "./reads/fleet.ts";
import { readGraph } from "./reads/graph.ts";
import { findProject } from "./reads/missing-project.ts";
import { findIssue } from "./reads/named-issue.ts";
import { makeProject } from "./reads/projects.ts";
import { readSearch } from "./reads/search.ts";
import { readVersions } from "./reads/versions.ts";
import { readSeriesDays } from "./series.ts";
import { performWrite } from "./writing.ts";

/**
 * The code that is not needed to draw the screen for the first time. The browser page loads it after its first rows, so
 * that the first rows appear sooner.
 */
export const WORK = {
  reads: {
    "find-issue": findIssue,
    "find-project": findProject,
    "load-bridge": readBridge,
    "load-graph": readGraph,
    "load-chain": readGraph,
    "load-older": readOlder,
    "load-job-runs": readJobRuns,
    "load-versions": readVersions,
    "series-days": readSeriesDays,
    "load-fleet": readFleet,
    search: readSearch,
  },
  readCron,
  makeProject,
  findRefs,
  performWrite,
} as const;

export type Work = typeof WORK;
