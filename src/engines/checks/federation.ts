import { counted } from "../../base/counted.ts";
import type { Finding } from "../../domain/finding.ts";
import type { Row } from "../../domain/tables/tables.ts";
import type { Reader } from "../../store/types/store.ts";
import type { EngineChecks } from "./engine-checks.ts";

export const federationChecks: EngineChecks = {
  engine: "federation",
  ofDatabase: [{ id: "storage.federation", look: faultyBindings }],
};

/** How many bindings the check looks at. */
const MOST = 1000;

interface Faulty {
  readonly text: string;
  readonly fix: string;
}

/**
 * Warns of federated projects that are disabled, and of copies whose hub could not be read: their readers are refused, or
 * see an old state, and nobody here would notice.
 */
async function faultyBindings(reader: Reader): Promise<Finding> {
  const all = await reader.unfolded.list("federation_binding", MOST);
  const faults: Faulty[] = [];
  for (const binding of all) {
    const project = await reader.projects.find(binding.project_uid);
    if (project?.deleted_at !== null) continue;
    const fault = await faultOf(reader, binding, project.name);
    if (fault !== undefined) faults.push(fault);
  }
  const [first] = faults;
  if (first === undefined) return { status: "ok", summary: summaryOf(all.length) };
  return {
    status: "warning",
    summary: first.text,
    details: { faulty: faults.map(({ text }) => text) },
    fix: first.fix,
  };
}

async function faultOf(
  { unfolded }: Reader,
  { project_uid, role, enabled, disabled_reason }: Row<"federation_binding">,
  name: string,
): Promise<Faulty | undefined> {
  if (enabled === 0) {
    const text = `federation is disabled for ${name} (${disabled_reason ?? "disabled"})`;
    if (role === "hub") return { text, fix: ENABLE_HUB };
    return { text, fix: disabled_reason === "new_instance" ? JOIN_ANEW : READ_ANEW };
  }
  const status = await unfolded.find("federation_sync_status", { project_uid });
  if (status?.last_error == null) return undefined;
  const since = status.last_pull_success_at ?? "never";
  return {
    text: `the hub of ${name} could not be read (${status.last_error}); last success: ${since}`,
    fix: "svc federation status shows the hub; the daemon tries again by itself",
  };
}

const ENABLE_HUB = "svc federation enable makes this daemon the hub again, with a new baseline";
const JOIN_ANEW =
  "svc federation enroll on the hub for this daemon's svc federation identity, then svc federation join here with the new token";
const READ_ANEW =
  "svc federation resync here if this copy is to go on, which ends the other one; otherwise restore this database with svc restore --new-instance";

function summaryOf(projects: number): string {
  if (projects === 0) return "no project is federated";
  return `${counted(projects, "federated project")}, and none is disabled`;
}
