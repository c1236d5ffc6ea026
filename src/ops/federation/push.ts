import { type JsonObject, parseJson } from "../../base/json.ts";
import { yieldToLoop } from "../../base/yield-to-loop.ts";
import { FEDERATION_INGEST_LIMIT } from "../../contract/federation-transport.ts";
import { INGEST_BODY_BYTES } from "../../contract/limits.ts";
import { type EventFeature, featuresNeeded, wireOf } from "../../domain/federation/wire.ts";
import type { UnsentEvent } from "../../store/types/federation.ts";
import type { Reader, Tx } from "../../store/types/store.ts";
import type { OpStore } from "../deps.ts";
import type { BindingRow } from "./binding.ts";
import type { Replica } from "./bound-replica.ts";
import { findUnchangedBinding, noteStatus } from "./replica.ts";

/** Events of a copy, in the form in which they are sent to its hub. */
export interface PushBatch {
  /** The lowest version of the wire format that supports the kinds of all these events. */
  readonly schema_version: number;
  /** Each event as JSON text (`PushedEvent`). */
  readonly events: readonly string[];
  readonly uids: readonly string[];
  readonly firstId: number;
  readonly lastId: number;
  /** The `event_id` with which the last event is sent: its id in the log, except in an adoption. */
  readonly lastSentId: number;
  /** The features that the hub must support, sorted by name. */
  readonly features: readonly EventFeature[];
  /** Set if the events are a part of an adoption. */
  readonly adoption?: AdoptionPart;
}

export interface AdoptionPart {
  readonly adoption_baseline: "open" | "complete";
  readonly adoption_baseline_end_event_id: number;
}

/**
 * `upTo`: once the hub has the batch, it has every event of this daemon up to this id of the daemon's log. `too_large`:
 * the next event alone is larger than a hub accepts.
 */
export type NextBatch =
  | { readonly batch: PushBatch | undefined; readonly upTo: number }
  | { readonly batch: "too_large" };

/**
 * A batch ends before an event that would make it larger than this (docs/contract/federation.md#12-limits). One event
 * alone may be larger.
 */
const SOFT_BYTES = 768 * 1024;
/** How much is read at a time, so that other requests wait a few ms only. */
const [PART_EVENTS, PART_BYTES] = [200, 128 * 1024];

/**
 * Returns the next events that the hub of a copy has yet to get, after the cursor and up to the id `upTo` of the log.
 * Their payloads are sent as the text that is stored in the log, without parsing. Events of an adoption get consecutive
 * numbers, as the hub requires (docs/contract/federation.md#73-what-a-hub-accepts), and the last of them keeps its id:
 * in the log, events of other projects may be between them.
 */
export async function nextBatch(
  store: Pick<OpStore, "read">,
  { project_uid, adopted_through: end }: Pick<Replica, "project_uid" | "adopted_through">,
  { after, upTo }: Range,
): Promise<NextBatch> {
  if (after >= end) return await batchWithin(store, project_uid, { after, upTo });
  // Events of an adoption are sent with no others.
  const left = await store.read(
    async ({ federation }) =>
      await federation.countEvents({ project: project_uid, after, upTo: end }),
  );
  const next = await batchWithin(store, project_uid, { after, upTo: end }, end - left + 1);
  if (next.batch === "too_large" || next.batch === undefined) return next;
  const { batch } = next;
  const adoption_baseline = batch.lastId === end ? "complete" : "open";
  const adoption = { adoption_baseline, adoption_baseline_end_event_id: end } as const;
  return { ...next, batch: { ...batch, adoption } };
}

interface Range {
  readonly after: number;
  readonly upTo: number;
}

async function batchWithin(
  store: Pick<OpStore, "read">,
  project_uid: string,
  { after, upTo }: Range,
  firstSentId?: number,
): Promise<NextBatch> {
  const open = new OpenBatch(firstSentId);
  for (let cursor = after; cursor < upTo; ) {
    const range = { project: project_uid, after: cursor };
    const part = await store.read(async (reader) => await readPart(reader, range));
    for (const event of part.events) {
      if (event.id > upTo) return open.closed(upTo);
      if (!open.add(event, part.project_name)) return open.closed(open.lastId);
    }
    cursor = part.upTo;
    if (part.last) break;
    await yieldToLoop();
  }
  return open.closed(upTo);
}

async function readPart(reader: Reader, range: Parameters<Reader["federation"]["unsent"]>[0]) {
  const found = await reader.federation.unsent(range, PART_EVENTS, PART_BYTES);
  const project = await reader.projects.find(range.project);
  return { ...found, project_name: project?.name ?? "" };
}

/** A batch that is being filled. */
class OpenBatch {
  readonly #firstSentId: number | undefined;
  readonly #events: UnsentEvent[] = [];
  readonly #texts: string[] = [];
  #bytes = 0;
  #isTooLarge = false;

  /** `firstSentId`: the events get consecutive numbers, beginning with this one. */
  constructor(firstSentId: number | undefined) {
    this.#firstSentId = firstSentId;
  }

  get lastId(): number {
    return this.#events.at(-1)?.id ?? 0;
  }

  /** Adds the event. Returns false if it does not fit: then the batch is closed without it. */
  add(event: UnsentEvent, project_name: string): boolean {
    const text = sentText(event, this.#sentId(event.id), project_name);
    const bytes = Buffer.byteLength(text) + 1;
    const isFirst = this.#events.length === 0;
    this.#isTooLarge = isFirst && bytes > INGEST_BODY_BYTES - ENVELOPE_BYTES;
    const isFull = this.#events.length === FEDERATION_INGEST_LIMIT;
    if (
      this.#isTooLarge ||
      isFull ||
      (!isFirst && this.#bytes + bytes > SOFT_BYTES - ENVELOPE_BYTES)
    )
      return false;
    this.#events.push(event);
    this.#texts.push(text);
    this.#bytes += bytes;
    return true;
  }

  #sentId(id: number): number {
    return this.#firstSentId === undefined ? id : this.#firstSentId + this.#events.length;
  }

  closed(upTo: number): NextBatch {
    if (this.#isTooLarge) return { batch: "too_large" };
    const [first] = this.#events;
    if (first === undefined) return { batch: undefined, upTo };
    const versions = this.#events.map(({ type }) => wireOf(type)?.version ?? 0);
    const batch = {
      schema_version: Math.max(...versions),
      events: this.#texts,
      uids: this.#events.map(({ uid }) => uid),
      firstId: first.id,
      lastId: this.lastId,
      lastSentId:
        this.#firstSentId === undefined ? this.lastId : this.#firstSentId + this.#events.length - 1,
      features: [...new Set(this.#events.flatMap(featuresOf))].sort(),
    };
    return { batch, upTo };
  }
}

/** The bytes around the events of a request, less one: the last event has no comma after it. */
const ENVELOPE_BYTES = '{"schema_version":30,"events":[]}'.length - 1;

/** The event as JSON. Its hash covers the payload as it is written in the log, so exactly that text is sent. */
function sentText(event: UnsentEvent, event_id: number, project_name: string): string {
  const { id: _, uid, issue_uid, related_issue_uid, payload, ...rest } = event;
  const head = JSON.stringify({
    event_id,
    event_uid: uid,
    project_name,
    ...(issue_uid === null ? {} : { issue_uid }),
    ...(related_issue_uid === null ? {} : { related_issue_uid }),
    ...rest,
  });
  return `${head.slice(0, -1)},"payload":${payload}}`;
}

function featuresOf({ type, payload }: UnsentEvent): readonly EventFeature[] {
  if (wireOf(type)?.feature === undefined) return [];
  return featuresNeeded({ type, payload: parseJson(payload) as JsonObject as never });
}

/** The id of the last event of the log. What is written later is sent by the next pass. */
export async function endOfLog(store: Pick<OpStore, "read">): Promise<number> {
  return (await store.read(async ({ events }) => await events.head())).last_event_id;
}

/** Stores when the pass began to send events. */
export async function beginPush(store: OpStore, { project_uid }: Replica): Promise<void> {
  await store.write(async (tx) => {
    await noteStatus(tx, project_uid, { last_push_started_at: tx.now });
  });
}

/**
 * Moves the cursor behind events that the hub has accepted, and returns the updated replica. If the project is no
 * longer bound as it was, or another pass has moved a cursor, writes nothing and returns undefined.
 */
export async function storePushed(
  store: OpStore,
  replica: Replica,
  push_cursor: number,
): Promise<Replica | undefined> {
  return await store.write(async (tx) => {
    const binding = await findUnchangedBinding(tx, replica);
    if (binding === undefined) return undefined;
    const next: BindingRow = { ...binding, push_cursor_event_id: push_cursor };
    await tx.unfolded.put("federation_binding", next);
    await noteStatus(tx, replica.project_uid, { last_push_success_at: tx.now });
    return { ...replica, push_cursor };
  });
}

/** Why the hub refused a batch for good. */
interface Refusal {
  readonly code: string;
  /** The hub's message, for whoever decides about the batch. */
  readonly words: string | undefined;
}

/**
 * Sets aside a batch that the hub refused. Nothing more is sent or read until somebody decides about it. Does nothing
 * if a batch is set aside already.
 */
export async function quarantineBatch(
  store: OpStore,
  replica: Replica,
  { firstId, lastId, uids }: PushBatch,
  { code, words }: Refusal,
): Promise<void> {
  const { project_uid } = replica;
  await store.write(async (tx: Tx) => {
    if ((await findUnchangedBinding(tx, replica)) === undefined) return;
    if ((await tx.federation.activeQuarantine(project_uid)) !== undefined) return;
    await tx.unfolded.put("federation_quarantine", {
      id: (await tx.federation.lastQuarantineId(project_uid)) + 1,
      project_uid,
      direction: "push",
      first_event_id: firstId,
      last_event_id: lastId,
      event_uids: [...uids],
      error: code,
      detail: words === undefined || words === "" ? null : words,
      created_at: tx.now,
      skipped_at: null,
      skipped_by: null,
      skip_reason: null,
    });
  });
}
