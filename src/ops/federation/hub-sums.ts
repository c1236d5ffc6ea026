import { yieldToLoop } from "../../base/yield-to-loop.ts";
import {
  DIGEST_EVENTS,
  DIGEST_PARTS,
  HASHED_ROWS,
  type hashFederationProjectIssues as issuesContract,
  type sumFederationProjectEvents as sumsContract,
} from "../../contract/federation-verify.ts";
import type { Input, Output } from "../../contract/route.ts";
import { FOLD_VERSION, type HashSum, joinSums, sumText } from "../../domain/federation/digest.ts";
import type { HashedEvent } from "../../store/types/federation.ts";
import type { Reader } from "../../store/types/store.ts";
import type { Principal, ReadDeps } from "../deps.ts";
import { type Enrolled, requireEnrolled, requireFeatures } from "./enrolled.ts";
import { EVENTS_PER_READ, sumOfEvents } from "./event-count.ts";

type Sums = Output<typeof sumsContract>;
type Part = Sums["parts"][number];

/**
 * A range is summed in pieces of this many events, from which the parts are made: a million events give 62,500 pieces.
 */
const PIECE = 16;

interface Piece extends HashSum {
  readonly through: number;
}

/**
 * Adds up the content hashes of a range of the project's events. The range is divided into parts of about equal size.
 * If it has few events, they are listed instead.
 */
export async function sumFederationProjectEvents(
  { store }: Pick<ReadDeps, "store">,
  who: Principal,
  { params, query, headers }: Input<typeof sumsContract>,
): Promise<Sums> {
  const enrolled = async (reader: Reader) => await enrolledState(reader, who, { params, headers });
  const { binding, project, ...begun } = await store.read(enrolled);
  const horizon = binding.replay_horizon_event_id;
  const through = query.through_id;
  let after = Math.max(query.after_id ?? 0, horizon - 1);
  const first: HashedEvent[] = [];
  const pieces: Piece[] = [];
  for (;;) {
    const range = {
      project: project.uid,
      side: "hub",
      after,
      through,
      limit: EVENTS_PER_READ,
    } as const;
    const events = await store.read(async ({ federation }) => await federation.hubHashes(range));
    if (first.length <= DIGEST_EVENTS) first.push(...events.slice(0, DIGEST_EVENTS + 1));
    for (let at = 0; at < events.length; at += PIECE) {
      const piece = events.slice(at, at + PIECE);
      pieces.push({ ...sumOfEvents(piece), through: piece.at(-1)?.event_id ?? through });
    }
    if (events.length < EVENTS_PER_READ) break;
    after = events.at(-1)?.event_id ?? through;
    await yieldToLoop();
  }
  const count = pieces.reduce((sum, piece) => sum + piece.count, 0);
  const ended = await store.read(async (reader) => {
    const { state } = await enrolled(reader);
    return count > DIGEST_EVENTS ? { state } : { state, events: await listEvents(reader, first) };
  });
  // If events were purged while the pieces were made, only some of the pieces contain purged events.
  const reset_required = begun.state.reset !== ended.state.reset || through < ended.state.reset;
  const { epoch, fold_version } = ended.state;
  return {
    ...{ epoch, fold_version, reset_required, from: horizon },
    parts: ended.events === undefined ? partsOf(pieces, through) : [],
    ...(ended.events === undefined ? {} : { events: ended.events }),
  };
}

/**
 * Divides the range into parts with the same number of pieces; the last part may have fewer. It ends where the range
 * ends.
 */
function partsOf(pieces: readonly Piece[], through: number): Part[] {
  const size = Math.ceil(pieces.length / DIGEST_PARTS);
  const parts: Part[] = [];
  for (let at = 0; at < pieces.length; at += size) {
    const own = pieces.slice(at, at + size);
    const { count, sum } = own.reduce<HashSum>(joinSums, { count: 0, sum: 0n });
    const isLast = at + size >= pieces.length;
    const through_id = isLast ? through : (own.at(-1)?.through ?? through);
    parts.push({ through_id, count, sum: sumText(sum) });
  }
  return parts;
}

async function listEvents({ federation }: Reader, events: readonly HashedEvent[]) {
  const outlines = await federation.outlines(events.map(({ uid }) => uid));
  const byUid = new Map(outlines.map((event) => [event.uid, event]));
  return events.flatMap(({ event_id, uid: event_uid, content_hash }) => {
    const { type, issue_uid, created_at } = byUid.get(event_uid) ?? {};
    if (type === undefined || created_at === undefined) return [];
    const about = issue_uid === undefined ? {} : { issue_uid };
    return { event_id, event_uid, content_hash, type, ...about, created_at };
  });
}

/**
 * If the hub has more events than this after the cursor of a copy, it does not read them to find what they name, and
 * answers `behind`.
 */
const MAX_LATER_EVENTS = 5000;

/**
 * Returns each issue, or each row of another kind, with a hash. Rows that events after the copy's cursor name have no
 * hash.
 */
export async function hashFederationProjectIssues(
  { store }: Pick<ReadDeps, "store">,
  who: Principal,
  { params, query, headers }: Input<typeof issuesContract>,
): Promise<Output<typeof issuesContract>> {
  return await store.read(async (reader) => {
    const { project, binding, state } = await enrolledState(reader, who, { params, headers });
    const { epoch, fold_version, reset } = state;
    const { row = "issue", after_uid: after = "", through_uid: through, through_id } = query;
    const said = {
      ...{ epoch, fold_version, from: binding.replay_horizon_event_id },
      reset_required: through_id < reset,
    };
    const changed = await reader.federation.namedLater({
      ...{ project: project.uid, side: "hub", after: through_id, limit: MAX_LATER_EVENTS },
    });
    if (changed === undefined) return { ...said, issues: [], more: false, behind: true };
    const range = { row, project: project.uid, after, through, limit: HASHED_ROWS } as const;
    const found = await reader.federation.rowHashes(range);
    const rows = found.map(({ uid, hash }) => (changed.has(uid) ? { uid } : { uid, hash }));
    const more = found.length === HASHED_ROWS;
    if (row !== "issue") return { ...said, issues: [], rows, more, behind: false };
    const issues = rows.map(({ uid, ...rest }) => ({ issue_uid: uid, ...rest }));
    return { ...said, issues, more, behind: false };
  });
}

async function enrolledState(
  reader: Reader,
  who: Principal,
  { params: { project_id }, headers }: Pick<Input<typeof sumsContract>, "params" | "headers">,
): Promise<Enrolled & { readonly state: HubState }> {
  const instance = headers["x-svc-instance"];
  const found = await requireEnrolled(reader, who, { project_id, instance, capability: "pull" });
  await requireFeatures(reader, found.project, headers["x-svc-event-features"]);
  const { epoch } = await reader.events.head();
  const reset = await reader.events.resetAfter([found.project.uid]);
  return { ...found, state: { epoch, reset, fold_version: FOLD_VERSION } };
}

interface HubState {
  readonly epoch: string;
  /** A copy whose cursor is before this id must begin again. */
  readonly reset: number;
  readonly fold_version: number;
}
