import { instantToMs } from "../../base/clock.ts";
import { counted } from "../../base/counted.ts";
import { shellWord } from "../../base/shell-word.ts";
import { adoptionHint, isOfAdoption } from "../../domain/federation/adoption.ts";
import { UNEQUAL_PASSES } from "../../domain/federation/digest.ts";
import { ADOPTION_UNFINISHED } from "../../domain/federation/gate.ts";
import type { Finding } from "../../domain/finding.ts";
import type { Row } from "../../domain/tables/tables.ts";
import { comparisonOf } from "../../ops/federation/comparison.ts";
import type { Reader } from "../../store/types/store.ts";
import type { EngineChecks } from "./engine-checks.ts";

export const federationChecks: EngineChecks = {
  engine: "federation",
  ofDatabase: [{ id: "storage.federation", look: faultyBindings }],
};

/** The maximum number of bindings that the check looks at. */
const MAX_BINDINGS = 1000;

interface Faulty {
  readonly text: string;
  readonly fix: string;
}

/**
 * Warns of federated projects that are disabled, of copies that could not read their hub, and of changes that did not
 * reach their hub. Readers are then refused or see an old state, and nobody here would notice.
 */
async function faultyBindings(reader: Reader): Promise<Finding> {
  const all = await reader.unfolded.list("federation_binding", MAX_BINDINGS);
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
  reader: Reader,
  binding: Row<"federation_binding">,
  name: string,
): Promise<Faulty | undefined> {
  const { unfolded, federation } = reader;
  const { project_uid, role, enabled, disabled_reason } = binding;
  if (enabled === 0) {
    const text = `federation is disabled for ${name} (${disabled_reason ?? "disabled"})`;
    if (role === "hub") return { text, fix: ENABLE_HUB };
    if (disabled_reason === ADOPTION_UNFINISHED) return { text, fix: WAIT };
    const unsent = await firstUnsentAt(reader, binding);
    const lost = unsent === undefined ? text : `${text}; ${NOT_SENT} ${unsent}`;
    if (disabled_reason !== "new_instance") return { text: lost, fix: readAgain(shellWord(name)) };
    return {
      text: lost,
      fix: unsent === undefined ? JOIN_AGAIN : `${JOIN_AGAIN} and ${JOIN_WITH_PUSH}`,
    };
  }
  const batch = await federation.activeQuarantine(project_uid);
  if (batch !== undefined) {
    const text = `the hub of ${name} refused a batch of changes (${batch.error}), so the copy neither sends nor reads`;
    const command = (verb: string): string =>
      `svc federation quarantine ${verb} ${batch.id} --project ${shellWord(name)}`;
    if (isOfAdoption(batch, binding)) return { text, fix: adoptionHint(command("retry")) };
    return {
      text,
      fix: `${command("show")} names the changes, and the commands to send them again or give them up`,
    };
  }
  const different = await differenceFault(reader, binding, name);
  if (different !== undefined) return different;
  const status = await unfolded.find("federation_sync_status", { project_uid });
  if (status?.last_error == null)
    return await unsentFault(reader, binding, name, status?.last_pull_started_at ?? null);
  const since = status.last_pull_success_at ?? "never";
  const unsent = await firstUnsentAt(reader, binding);
  const lost = unsent === undefined ? "" : `; it has not got changes made here since ${unsent}`;
  return {
    text: `the hub of ${name} could not be read (${status.last_error}); last success: ${since}${lost}`,
    fix: HINTS.get(status.last_error)?.(shellWord(name)) ?? PASSING,
  };
}

/** Warns if a copy does not have the events that its hub has, as several passes in a row have found. */
async function differenceFault(
  reader: Reader,
  binding: Row<"federation_binding">,
  name: string,
): Promise<Faulty | undefined> {
  const comparison = await comparisonOf(reader, binding);
  if (comparison?.state !== "different" || comparison.unequal_passes < UNEQUAL_PASSES)
    return undefined;
  const { unequal_passes, through_event_id } = comparison;
  return {
    text: `the copy of ${name} does not have the events that its hub has up to ${through_event_id}: ${unequal_passes} comparisons in a row found a difference`,
    fix: `svc federation verify ${shellWord(name)} names the first event that differs; svc federation resync ${shellWord(name)} reads the copy anew`,
  };
}

/** Changes of a copy that reach the hub later than this are a fault, even if no pass has failed. */
const OLD_MS = 3_600_000;

/** Warns if a pass has begun long after a change was made here, and the hub has not got the change. */
async function unsentFault(
  reader: Reader,
  binding: Row<"federation_binding">,
  name: string,
  lastPass: string | null,
): Promise<Faulty | undefined> {
  const unsent = await firstUnsentAt(reader, binding);
  if (unsent === undefined || lastPass === null) return undefined;
  if (instantToMs(lastPass) - instantToMs(unsent) < OLD_MS) return undefined;
  return {
    text: `the hub of ${name} has not got changes made here since ${unsent}`,
    fix: "svc federation status shows how many; the daemon sends them by itself while it runs",
  };
}

async function firstUnsentAt(
  { federation }: Reader,
  { project_uid, role, push_enabled, push_cursor_event_id }: Row<"federation_binding">,
): Promise<string | undefined> {
  if (role !== "spoke" || push_enabled === 0) return undefined;
  return await federation.firstUnsentAt({ project: project_uid, after: push_cursor_event_id });
}

const PASSING = "svc federation status shows the hub; the daemon tries again by itself";
const NEW_TOKEN =
  "the hub does not accept the token of the copy: there, svc federation enrollments list, then svc federation enrollments rotate <id> (svc federation enroll if it was revoked), and run the join line that it prints here";
const UPGRADE = "hub and copy are of different releases: upgrade the older one (svc version)";

/** Hints for the errors of a pass that do not go away by themselves, by error code. */
const HINTS: ReadonlyMap<string, (project: string) => string> = new Map([
  ["auth_invalid", () => NEW_TOKEN],
  ["hub_authentication", () => NEW_TOKEN],
  [
    "project_not_found",
    (project: string) =>
      `the project is archived on the hub, or not there: svc projects restore on the hub, or end the copying here with svc federation leave ${project} --local-only`,
  ],
  [
    "hub_unavailable",
    () =>
      `${PASSING}. If you signed the certificate of the hub yourself, set NODE_EXTRA_CA_CERTS for the daemon and run svc daemon restart`,
  ],
  ["credential_missing", () => JOIN_AGAIN],
  ["own_event_missing", (project: string) => readAgain(project)],
  [
    "credential_unreadable",
    () => "make credentials.toml in the daemon's home readable for its owner alone (chmod 600)",
  ],
  [
    "federation_credential_conflict",
    (project: string) =>
      `the token here is for another hub or another database: svc federation leave ${project}, then svc federation join`,
  ],
  [
    "unavailable",
    () =>
      "the database of the hub or of this daemon could not be written, as on a full disk: svc daemon logs on both says which, so make room there; the daemon tries again by itself, and nothing is lost meanwhile",
  ],
  ["unsupported_event_features", () => UPGRADE],
  ["unsupported_federation_schema", () => UPGRADE],
]);

const NOT_SENT = "its hub has not got changes made here since";
const JOIN_WITH_PUSH = "--push: the hub is read first, then the changes are written anew and sent";
const ENABLE_HUB = "svc federation enable makes this daemon the hub again, with a new baseline";
const JOIN_AGAIN =
  "svc federation enroll on the hub for this daemon's svc federation identity, then svc federation join here with the new token";
const WAIT = "the daemon goes on by itself; svc federation status shows when it has ended";
/** The hint if a duplicate of this database polls in its place, or has sent events that this database has lost. */
const readAgain = (project: string): string =>
  `svc federation resync ${project} if this copy is to go on, which ends the other one; if both are to go on, give this database an identity of its own: svc backup --output copy.jsonl, svc daemon stop, svc import --force --new-instance --input copy.jsonl, then ${JOIN_AGAIN}`;

function summaryOf(projects: number): string {
  if (projects === 0) return "no project is federated";
  return `${counted(projects, "federated project")}, and none is disabled`;
}
