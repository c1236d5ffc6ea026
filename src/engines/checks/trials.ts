import { type Finding, skipped } from "../../domain/finding.ts";
import type { EngineChecks, Health } from "./engine-checks.ts";

export const trialChecks: EngineChecks = {
  engine: "trials",
  ofHealth: [{ id: "daemon.backups", look: backupsFound }],
};

/** Warns if the newest backup could not be restored, or if none could be restored so far. */
function backupsFound({ backup_verification: trial }: Health): Finding {
  if (trial === undefined)
    return skipped("the daemon tries no backup: [backup] verify_interval is not set");
  const { state, file = "", at = "", message } = trial;
  const details = { backup_verification: trial };
  if (state === "ok")
    return { status: "ok", summary: `${file} was restored at ${at} and is sound`, details };
  if (state === "failed")
    return {
      status: "warning",
      summary: `the verification of ${at} failed: ${message ?? file}`,
      details,
      fix: "svc backup verify --schedule tries it here and now; svc backup makes another",
    };
  if (message === undefined) return skipped("the daemon has not tried a backup yet");
  return { status: "warning", summary: message, details, fix: "make one with svc backup" };
}
