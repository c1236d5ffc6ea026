import type { EngineChecks } from "./engine-checks.ts";

export const backupChecks: EngineChecks = {
  engine: "backups",
  // The daemon makes backups by itself, so nobody sees the failure of one.
  fault: ({ backup }) => {
    if (backup?.failure === undefined) return undefined;
    const { at, message } = backup.failure;
    return {
      status: "warning",
      summary: `the backup of ${at} failed: ${message}`,
      details: { backup },
      fix: "svc backup tries it here and now",
    };
  },
};
