import { invariant } from "../../base/invariant.ts";
import type { JsonObject } from "../../base/json.ts";
import { isUlid } from "../../base/ulid.ts";
import { SvcError } from "../../contract/errors.ts";
import type { StoredEvent } from "../../contract/events.ts";
import { decodeJob } from "../../domain/cron/job.ts";
import { decodeWorkflow } from "../../domain/cron/workflow.ts";
import { definitionWritten, type Verb } from "../../domain/drafts/cron.ts";
import type { StoredProject } from "../../store/types/rows.ts";
import type { Reader, Tx } from "../../store/types/store.ts";
import { requireProject } from "../find.ts";
import { eventOut } from "../out/events.ts";
import { type Binding, checkBinding, firstBinding } from "./binding.ts";
import { conflictError, definitionOut, type StoredDefinition } from "./out.ts";
import { checkReferences, checkUnused } from "./references.ts";

/**
 * The differences between jobs and workflows; everything else about definitions is the same
 * (docs/contract/cron-and-inbox.md#11-routes).
 */
export interface DefinitionKind {
  readonly name: "job" | "workflow";
  find(reader: Reader, uid: string): Promise<StoredDefinition | undefined>;
  list(reader: Reader, projectUid: string): Promise<readonly StoredDefinition[]>;
  decode(document: JsonObject): JsonObject;
  /** Throws unless everything that a live definition refers to exists. Returns the parent of a native job. */
  checkLive(
    tx: Tx,
    project: StoredProject,
    definition: JsonObject,
    known: StoredDefinition | undefined,
  ): Promise<Binding | undefined>;
  checkDelete(tx: Tx, row: StoredDefinition): Promise<void>;
}

export const JOB: DefinitionKind = {
  name: "job",
  find: async (reader, uid) => await reader.cron.job(uid),
  list: async (reader, projectUid) => await reader.cron.jobs(projectUid),
  decode: (document) => decodeJob(document),
  checkLive: async (tx, project, definition, known) =>
    await checkReferences(tx, project, decodeJob(definition), known),
  checkDelete: async () => undefined,
};

export const WORKFLOW: DefinitionKind = {
  name: "workflow",
  find: async (reader, uid) => await reader.cron.workflow(uid),
  list: async (reader, projectUid) => await reader.cron.workflows(projectUid),
  decode: (document) => decodeWorkflow(document),
  checkLive: async () => undefined,
  checkDelete: checkUnused,
};

export interface DefinitionPath {
  readonly project_id: number;
  readonly cron_uid: string;
}

export interface FoundDefinition {
  readonly project: StoredProject;
  readonly row: StoredDefinition;
}

/**
 * Returns a definition of the project. Throws `not_found` if the project does not have it, even if another project has
 * it.
 */
export async function requireDefinition(
  reader: Reader,
  kind: DefinitionKind,
  { project_id, cron_uid }: DefinitionPath,
): Promise<FoundDefinition> {
  const project = await requireProject(reader, project_id);
  const uid = cron_uid.toUpperCase();
  invariant(isUlid(uid), "the contract lets only ULIDs through");
  const row = await kind.find(reader, uid);
  if (row === undefined || row.project_uid !== project.uid)
    throw cronNotFound({ cron_uid: uid }, kind.name, uid);
  return { project, row };
}

/**
 * The error for a job, workflow or run that the project does not have, even if another project has it
 * (docs/contract/cron-and-inbox.md#12-uids).
 */
export function cronNotFound(
  data: Readonly<Record<string, string>>,
  name: "job" | "workflow" | "run",
  uid: string,
): SvcError {
  const command = name === "run" ? "svc cron run list" : `svc cron ${name} list`;
  const hint = `this project has no ${name} ${uid}; see ${command}`;
  return new SvcError("not_found", data, { message: "cron not found", hint });
}

/**
 * Throws a conflict unless the request names the event that wrote the current definition. A request that names no event
 * is refused in the same way (docs/contract/cron-and-inbox.md#15-compare-and-set).
 */
export function checkExpected(
  kind: DefinitionKind,
  { row, project }: FoundDefinition,
  expected: string | undefined,
): void {
  if (expected?.toUpperCase() === row.definition_event_uid) return;
  const message =
    expected === undefined
      ? "expected_event_uid is required"
      : `the ${kind.name} was changed since: its definition_event_uid is ${row.definition_event_uid}`;
  throw conflictError(kind.name, message, definitionOut(row, project));
}

interface DefinitionWrite {
  readonly uid: string;
  readonly verb: Verb;
  readonly name: string;
  readonly definition: JsonObject;
  readonly actor: string;
  /** The definition before the change; absent for a create. */
  readonly known?: StoredDefinition;
}

/** Appends the definition's event. If a job becomes native, its first progress is stored on the job's parent issue. */
export async function writeDefinition(
  tx: Tx,
  kind: DefinitionKind,
  project: StoredProject,
  write: DefinitionWrite,
) {
  const { uid, verb, name, definition, actor, known } = write;
  const live = verb !== "deleted";
  const binding = live ? await kind.checkLive(tx, project, definition, known) : undefined;
  if (known !== undefined && live) checkBinding(known, binding);
  const written = { uid, project_uid: project.uid, name, definition, known };
  const draft = definitionWritten(kind.name, verb, written, { actor, now: tx.now });
  const events: StoredEvent[] = [await tx.append(draft)];
  const bound = binding === undefined ? undefined : await firstBinding(tx, { uid, binding, actor });
  if (bound !== undefined) events.push(bound);
  const row = await kind.find(tx, uid);
  invariant(row !== undefined, "a definition is there once its event is in the log");
  return {
    record: definitionOut(row, project),
    events: events.map((event) => eventOut(event, project)),
  };
}

type WrittenDefinition = Awaited<ReturnType<typeof writeDefinition>>;

export function asJob({ record, events }: WrittenDefinition) {
  return { job: record, events };
}

export function asWorkflow({ record, events }: WrittenDefinition) {
  return { workflow: record, events };
}
