import {
  canonicalJson,
  isPlainObject,
  type JsonObject,
  type JsonValue,
  parseJson,
} from "../../../base/json.ts";
import type { pollProjectEvents } from "../../../contract/activity.ts";
import type { showCronJob } from "../../../contract/cron-jobs.ts";
import type { showCronWorkflow } from "../../../contract/cron-workflows.ts";
import type { EventKind, Payload } from "../../../contract/events.ts";
import type { Output } from "../../../contract/route.ts";
import { UnavailableError } from "../../../shared/answer-errors.ts";
import type { Transport } from "../../../shared/transport.ts";
import type { ReadVersion, Version, VersionAsked } from "../../cron/state.ts";
import type { EffectOf } from "../../effect.ts";
import type { MessageOf } from "../../message.ts";
import { textOf } from "../failures.ts";

/** Definitions can be large, so pages are small. */
const EVENTS_PER_PAGE = 100;

export async function readVersions(
  daemon: Transport,
  { project_id, of, asked }: EffectOf<"load-versions">,
): Promise<MessageOf<"versions">> {
  const versions: ReadVersion[] = [];
  for (const one of asked) {
    try {
      versions.push(await readVersion(daemon, project_id, one));
    } catch (error) {
      versions.push({ ...one, error: textOf(error) });
    }
  }
  return { type: "versions", of, versions };
}

async function readVersion(
  daemon: Transport,
  project_id: number,
  asked: VersionAsked,
): Promise<ReadVersion> {
  const current = await readCurrent(daemon, project_id, asked);
  if (asked.event === undefined || asked.event === current.event)
    return versionOf(asked, current, current);
  const past = await findEvent(daemon, project_id, asked);
  if (past === undefined)
    return { ...asked, error: `the log has no event ${asked.event} any more` };
  return versionOf(asked, past, current);
}

/** A definition as one event stored it. Its numbers keep the digits with which they were stored. */
interface Moment {
  readonly event: string;
  readonly name: string;
  readonly definition: JsonObject;
  readonly actor: string | undefined;
  readonly at: string;
}

async function readCurrent(
  daemon: Transport,
  project_id: number,
  { kind, uid: cron_uid }: VersionAsked,
): Promise<Moment> {
  const params = { project_id, cron_uid };
  const text =
    kind === "job"
      ? await daemon.text("showCronJob", { params })
      : await daemon.text("showCronWorkflow", { params });
  // The cast is safe: the daemon answers by the contract.
  const answer = parseJson(text) as unknown as Record<string, CurrentRecord>;
  const record = answer[kind];
  if (record === undefined) throw new UnavailableError(`the daemon's answer has no ${kind}`);
  const { definition_event_uid: event, name, definition, updated_at: at } = record;
  return { event, name, definition, actor: undefined, at };
}

type CurrentRecord =
  | Output<typeof showCronJob>["job"]
  | Output<typeof showCronWorkflow>["workflow"];

type DefinitionKind = Extract<EventKind, `cron.${"job" | "workflow"}.${string}`>;

/** Finds an event of a definition in the log. Each such event contains the whole definition. */
async function findEvent(
  daemon: Transport,
  project_id: number,
  { kind, event }: VersionAsked,
): Promise<Moment | undefined> {
  const type = [`cron.${kind}.*`];
  for (let after_id = 0; ; ) {
    const query = { type, after_id, limit: EVENTS_PER_PAGE };
    const text = await daemon.text("pollProjectEvents", { params: { project_id }, query });
    const page = parseJson(text) as unknown as Output<typeof pollProjectEvents>;
    const found = page.events.find(({ event_uid }) => event_uid === event);
    if (found !== undefined) {
      const { event_uid, actor, created_at: at } = found;
      const { name, definition } = found.payload as Payload<DefinitionKind>;
      return { event: event_uid, actor, at, name, definition };
    }
    // After a purge, a page with `reset_required` may be short although more pages follow.
    if (!page.reset_required && page.events.length < EVENTS_PER_PAGE) return undefined;
    after_id = page.next_after_id;
  }
}

function versionOf({ kind, uid }: VersionAsked, then: Moment, now: Moment): Version {
  const { event, name, actor, at } = then;
  const shown = inOrderOf(then.definition, now.definition);
  return {
    ...{ kind, uid, event, name, actor, at, isCurrent: event === now.event },
    differs: differing({ name, ...then.definition }, { name: now.name, ...now.definition }),
    text: JSON.stringify(shown, null, 2),
  };
}

function differing(then: JsonObject, now: JsonObject): readonly string[] {
  const names = new Set([...Object.keys(now), ...Object.keys(then)]);
  const text = (value: JsonValue | undefined): string =>
    value === undefined ? "" : canonicalJson(value);
  return [...names].filter((name) => text(then[name]) !== text(now[name]));
}

/** Puts the members of a definition in the order of the current definition. The event log has them sorted by name. */
function inOrderOf(value: JsonValue, like: JsonValue | undefined): JsonValue {
  if (Array.isArray(value))
    return value.map((one: JsonValue, at) => inOrderOf(one, Array.isArray(like) ? like[at] : like));
  if (!isPlainObject(value)) return value;
  const model = isPlainObject(like) ? like : {};
  const names = [...Object.keys(model).filter((name) => name in value), ...Object.keys(value)];
  return Object.fromEntries(
    [...new Set(names)].map((name) => [name, inOrderOf(value[name] ?? null, model[name])]),
  );
}
