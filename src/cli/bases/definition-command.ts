import type { InferredFlags } from "@oclif/core/interfaces";
import { systemIds } from "../../base/ids.ts";
import { isPlainObject, type JsonObject, parseJson } from "../../base/json.ts";
import { membersOf } from "../../base/json-members.ts";
import { isUlid } from "../../base/ulid.ts";
import { invalid } from "../../contract/errors.ts";
import { health } from "../../contract/health.ts";
import { nativeParentOf } from "../../domain/cron/native.ts";
import { requiredFlag, textFlag } from "../flags/flags.ts";
import { jsonOf, readTextFile } from "../input/file.ts";
import { type Answer, withVersion } from "../output/output.ts";
import type { ProcessContext } from "../process-context.ts";
import type { Session } from "../session/session.ts";
import { SvcCommand } from "./svc-command.ts";

/**
 * The JSON object in the file of `--file`, which describes a job or workflow
 * (docs/contract/cron-and-inbox.md#7-commands).
 */
export interface Envelope {
  readonly name?: string;
  readonly definition?: JsonObject;
  readonly actor?: string;
  readonly expected_event_uid?: string;
}

type Document = Pick<Required<Envelope>, "name" | "definition">;

const KNOWN_MEMBERS: ReadonlySet<string> = new Set([
  "name",
  "definition",
  "actor",
  "expected_event_uid",
]);

export const documentFlag = {
  file: requiredFlag("JSON with name and definition, - for standard input", "<path>"),
};

export const uidFlag = (noun: "job" | "workflow") => ({
  uid: textFlag(
    `the ${noun}'s uid; repeating a call with the same uid never creates a second ${noun}`,
    "<ulid>",
  ),
});

export const expectedFlag = {
  "expected-event-uid": textFlag(
    "the definition_event_uid that show printed; refused if the definition has changed since",
    "<uid>",
  ),
};

export const changeFlags = {
  file: textFlag("JSON with expected_event_uid and actor, - for standard input", "<path>"),
  ...expectedFlag,
};

type Uid = InferredFlags<ReturnType<typeof uidFlag>>;
/** The project of a job or workflow, and its definition as changed by flags such as `--parent`. */
export interface PlacedDefinition {
  readonly project_id: number;
  readonly definition: JsonObject;
}
export type Place = (session: Session, definition: JsonObject) => Promise<PlacedDefinition>;

export async function inOwnProject(
  session: Session,
  definition: JsonObject,
): Promise<PlacedDefinition> {
  return { project_id: (await session.project()).id, definition };
}

/**
 * Base of the `svc cron` commands that print the daemon's JSON in every mode
 * (docs/contract/command-line.md#24-jobs-runs-series).
 */
export abstract class DefinitionCommand extends SvcCommand {
  protected printJson(answer: Answer<object>): void {
    this.writeLine(withVersion(answer.json));
  }

  private readEnvelope(path: string): Envelope {
    const value: JsonObject & Envelope = jsonObjectOf(path, this.context);
    for (const name of Object.keys(value))
      if (!KNOWN_MEMBERS.has(name)) throw invalid(`${path}: ${name} is not a known field`);
    for (const name of ["name", "actor", "expected_event_uid"])
      if (value[name] !== undefined && typeof value[name] !== "string")
        throw invalid(`${path}: ${name} must be text`);
    if (value["definition"] !== undefined && !isPlainObject(value["definition"]))
      throw invalid(`${path}: definition must be an object`);
    return value;
  }

  protected async actorWith({ actor }: Envelope): Promise<string> {
    const { as } = this.globals;
    if (actor !== undefined && as !== undefined && actor !== as)
      throw invalid(`the file's actor is ${actor}, and --as says ${as}`);
    return actor ?? (await this.actor());
  }

  private expectedOf({ expected_event_uid: sent }: Envelope, flag: string | undefined): string {
    if (sent !== undefined && flag !== undefined && sent.toUpperCase() !== flag.toUpperCase())
      throw invalid(`the file's expected_event_uid is ${sent}, and the flag says ${flag}`);
    const expected = flag ?? sent;
    if (expected !== undefined) return expected;
    throw invalid("--expected-event-uid is required: the definition_event_uid that show gives");
  }

  protected async recordOf(uid: string) {
    const cron_uid = this.requireUid(uid);
    return { project_id: await this.projectId(), cron_uid };
  }

  protected async changeBody(flags: InferredFlags<typeof changeFlags>) {
    const envelope = flags.file === undefined ? {} : this.readEnvelope(flags.file);
    const expected_event_uid = this.expectedOf(envelope, flags["expected-event-uid"]);
    return { expected_event_uid, actor: await this.actorWith(envelope) };
  }

  /**
   * The path parameters and the body that create a job or workflow. The uid of the new job or workflow is printed to
   * stderr, so that a retry can send the same uid. A file with `expected_event_uid` is refused.
   */
  protected async creationOf(
    flags: InferredFlags<typeof documentFlag> & Uid,
    place: Place = inOwnProject,
  ) {
    const envelope = this.readEnvelope(flags.file);
    if (envelope.expected_event_uid !== undefined)
      throw invalid("a create has no expected_event_uid: nothing is there yet");
    const document = requireDocument(flags.file, envelope);
    const { params, body } = await this.placed(document, place);
    const uid = flags.uid === undefined ? systemIds().ulid() : this.requireUid(flags.uid);
    const actor = await this.actorWith(envelope);
    this.note(`Definition UID: ${uid} (reuse --uid on retry)`);
    return { params, body: { ...body, uid, actor } };
  }

  protected async replacementOf(
    flags: InferredFlags<typeof documentFlag & typeof expectedFlag>,
    place: Place = inOwnProject,
  ) {
    const envelope = this.readEnvelope(flags.file);
    const document = requireDocument(flags.file, envelope);
    const expected_event_uid = this.expectedOf(envelope, flags["expected-event-uid"]);
    const { params, body } = await this.placed(document, place);
    const actor = await this.actorWith(envelope);
    return { project_id: params.project_id, body: { ...body, expected_event_uid, actor } };
  }

  protected async documentOf(path: string, place: Place = inOwnProject) {
    return await this.placed(requireDocument(path, this.readEnvelope(path)), place);
  }

  private async placed({ name, definition: sent }: Document, place: Place) {
    const { project_id, definition } = await place(await this.session(), sent);
    return { params: { project_id }, body: { name, definition } };
  }

  /**
   * Prints the daemon's note about its idle shutdown, if the job is enabled and the daemon itself delivers the job: a
   * stopped daemon delivers nothing.
   */
  protected async noteIdle(answer: string): Promise<void> {
    const { job } = JSON.parse(answer) as {
      readonly job?: { readonly definition?: { readonly enabled?: boolean } & JsonObject };
    };
    const definition = job?.definition;
    if (definition?.enabled !== true || nativeParentOf(definition) === null) return;
    const { idle_shutdown: idle } = (await this.call(health, {})).body();
    if (idle?.note !== undefined) this.note(`svc: ${idle.note}`);
  }

  protected requireUid(text: string): string {
    if (!isUlid(text)) throw invalid(`${text} is not a uid`);
    return text.toUpperCase();
  }
}

/** Reads a JSON object from a file; numbers keep their spelling, and a repeated member is refused. */
export function jsonObjectOf(path: string, context: ProcessContext): JsonObject {
  const text = readTextFile(path, context);
  const value = jsonOf(path, text, parseJson);
  if (!isPlainObject(value)) throw invalid(`${path} is not a JSON object`);
  const { twice } = membersOf(text);
  if (twice !== undefined) throw invalid(`${path}: ${twice} stands twice`);
  return value;
}

function requireDocument(path: string, { name, definition }: Envelope): Document {
  if (name === undefined) throw invalid(`${path}: name is required`);
  if (definition === undefined) throw invalid(`${path}: definition is required`);
  return { name, definition };
}
