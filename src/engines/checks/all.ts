import type { Finding } from "../../domain/finding.ts";
import { backupChecks } from "./backups.ts";
import { cronChecks } from "./cron.ts";
import type { EngineChecks, Health } from "./engine-checks.ts";
import { federationChecks } from "./federation.ts";
import { mappingChecks } from "./federation-mappings.ts";
import { issueSyncChecks } from "./issue-sync.ts";
import { trialChecks } from "./trials.ts";

/** The checks of all engines. `svc doctor` shows their results in this order. */
export const ENGINE_CHECKS: readonly EngineChecks[] = [
  backupChecks,
  trialChecks,
  cronChecks,
  issueSyncChecks,
  federationChecks,
  mappingChecks,
];

export function engineFault(health: Health, all = ENGINE_CHECKS): Finding | undefined {
  for (const { fault } of all) {
    const found = fault?.(health);
    if (found !== undefined) return found;
  }
  return undefined;
}

export function healthChecks(all = ENGINE_CHECKS) {
  return all.flatMap(({ ofHealth = [] }) => ofHealth);
}

export function databaseChecks(all = ENGINE_CHECKS) {
  return all.flatMap(({ ofDatabase = [] }) => ofDatabase);
}
