import { counted } from "../../base/counted.ts";
import type { MappingError } from "../../contract/health.ts";
import { type Finding, skipped } from "../../domain/finding.ts";
import type { EngineChecks, Health } from "./engine-checks.ts";

export const mappingChecks: EngineChecks = {
  engine: "federation_mappings",
  ofHealth: [{ id: "daemon.federation", look: mappingsFound }],
};

/** Warns of mappings of config.toml that are not reconciled. The health says how many, and not which. */
function mappingsFound({ federation_config: found }: Health): Finding {
  if (found === undefined) return skipped("config.toml has no [[federation.project]]");
  const { configured, reconciled, pending, conflicted, last_error_category: category } = found;
  const details = { federation_config: found };
  const all = counted(configured, "mapping");
  if (reconciled === configured)
    return { status: "ok", summary: `${all} of federation, all reconciled`, details };
  if (category === undefined)
    return { status: "ok", summary: `${pending} of ${all} not attempted yet`, details };
  const status = found.last_error_status === undefined ? "" : `, status ${found.last_error_status}`;
  return {
    status: "warning",
    summary: `${pending} of ${all} of federation pending and ${conflicted} in conflict; last: ${category}${status}`,
    details,
    fix: `${FIXES[category]}. ${WHICH}`,
  };
}

const WHICH =
  "svc daemon logs has the number of each mapping that failed (federation_mapping.failed), counted from the top of config.toml, and the reason";

const FIXES: Readonly<Record<MappingError, string>> = {
  configuration_conflict:
    "config.toml now asks for something else than what was begun, or the project here cannot become a copy: put the mapping back as it was, or svc federation leave the project, and restart the daemon",
  binding_conflict:
    "the project here is bound to another hub, project or actor than its mapping names: if the hub has moved, svc federation rebind; if the project has a new name there (hub_project_missing), write it to hub_project; then svc federation leave it, and svc daemon restart",
  credential_io:
    "make credentials.toml in the daemon's home readable and writable for its owner alone (chmod 600)",
  hub_unavailable: "the hub gave no answer or asked to wait; the daemon tries again by itself",
  hub_authentication:
    "the hub does not accept the token of its [[daemon]] entry, or the variable of token_env is not set for the daemon: set it and restart the daemon",
  hub_validation:
    "the hub refused the request, or is none of this version: look at its log, and upgrade the older of both",
  local_storage: "the database of this daemon failed: see the other checks",
  internal: "this is a fault of svc: its place is in the log (federation_mapping.bug)",
};
