import { yieldToLoop } from "../../base/yield-to-loop.ts";
import { SvcError } from "../../contract/errors.ts";
import {
  type verifyFederationReplica as contract,
  DIGEST_EVENTS,
} from "../../contract/federation-verify.ts";
import type { Input, Output } from "../../contract/route.ts";
import {
  FOLD_VERSION,
  type HashSum,
  isEqualSum,
  joinSums,
  NO_HASHES,
} from "../../domain/federation/digest.ts";
import type { HashedEvent } from "../../store/types/federation.ts";
import type { Reader } from "../../store/types/store.ts";
import { requireWriter } from "../actor.ts";
import type { Deps, Principal } from "../deps.ts";
import { requireProject } from "../find.ts";
import { projectOut } from "../out/projects.ts";
import { type BindingRow, findBinding } from "./binding.ts";
import type { Replica } from "./bound-replica.ts";
import type { ComparedCopy } from "./compared-copy.ts";
import { EVENTS_PER_READ, sumOfEvents } from "./event-count.ts";
import type { Federation } from "./far-side.ts";
import type { HubSums, SumRange } from "./hub-questions.ts";
import { replicaFrom } from "./replica.ts";
import { compareRows } from "./verify-rows.ts";

type Needs = Pick<Deps, "store"> & { readonly federation: Pick<Federation, "digests"> };
type Verified = Output<typeof contract>;
type Difference = NonNullable<Verified["first_difference"]>;
type Reason = NonNullable<Verified["reason"]>;

/** The maximum number of questions. Each answer narrows the range to a sixteenth; the first covers all events. */
const MOST_ROUND_TRIPS = 16;

/**
 * Compares a copy with its hub up to the cursor of the copy, and names the first event that differs. The
 * hub adds up the content hashes of a range in 16 parts; the first part that differs here is the next range. With
 * `rows` it compares a hash of the rows of each issue too. Writes nothing.
 */
export async function verifyFederationReplica(
  { store, federation }: Needs,
  who: Principal,
  { params: { project_id }, body }: Input<typeof contract>,
): Promise<Verified> {
  requireWriter(who);
  const copy = await store.read(async (reader) => await requireCopy(reader, project_id));
  const events = await compareEvents({ store, federation }, copy);
  const common = {
    project: projectOut(copy.project),
    ...{ through: copy.replica.cursor, fold_version: FOLD_VERSION },
  };
  if (body.rows !== true || events.state === "unknown") return { ...common, ...events };
  const { hub_fold_version } = events;
  const isEqual = events.state === "equal";
  const rows = await compareRows({ store, federation }, copy, { isEqual, hub_fold_version });
  return { ...common, ...events, rows };
}

async function requireCopy(reader: Reader, project_id: number): Promise<ComparedCopy> {
  const project = await requireProject(reader, project_id);
  const binding = await findBinding(reader, project);
  const { uid: project_uid } = project;
  if (binding === undefined) throw new SvcError("federation_not_found", { project_uid }, NO_COPY);
  const replica = replicaFrom(binding);
  if (replica === undefined) throw new SvcError("not_a_spoke", { project_uid }, NO_COPY);
  return { project, binding, replica };
}

const NO_COPY = {
  message: "the project is no copy of another daemon's project, so there is nothing to compare",
  hint: "svc federation status shows the copies; compare on the daemon that has the copy",
};

type Compared = Pick<
  Verified,
  | "state"
  | "reason"
  | "event_count"
  | "hub_event_count"
  | "round_trips"
  | "first_difference"
  | "hub_fold_version"
>;

async function compareEvents(
  { store, federation: { digests } }: Needs,
  { binding, replica }: ComparedCopy,
): Promise<Compared> {
  const { replay_horizon_event_id: horizon } = binding;
  const whole: SumRange = { after: horizon - 1, through: replica.cursor };
  const unknown = (reason: Reason, round_trips: number, event_count = 0): Compared => ({
    ...{ state: "unknown", reason, event_count, round_trips },
  });
  if (replica.cursor < horizon || replica.epoch === null) return unknown("not_read_yet", 0);
  const own = new CopyRange(store, binding);
  let range = whole;
  let counts: Pick<Compared, "event_count" | "hub_event_count" | "hub_fold_version"> | undefined;
  for (let trips = 1; trips <= MOST_ROUND_TRIPS; trips += 1) {
    const said = await digests.sums(replica, range);
    const reason = reasonOf(said, replica, horizon);
    if (said === "too_old" || reason !== undefined)
      return unknown(reason ?? "hub_too_old", trips, counts?.event_count);
    const sums = await own.sums(range, endsOf(said, range));
    counts ??= {
      event_count: sums.reduce((sum, { count }) => sum + count, 0),
      hub_event_count: countOf(said),
      hub_fold_version: said.fold_version,
    };
    const found = { ...counts, round_trips: trips };
    if (said.events !== undefined) {
      const first_difference = await firstOf(own, range, said.events);
      if (first_difference === undefined) return { ...found, state: "equal" };
      return { ...found, state: "different", first_difference };
    }
    const at = said.parts.findIndex((part, n) => !isEqualSum(sums[n] ?? NO_HASHES, part));
    const part = said.parts[at];
    if (part === undefined) return { ...found, state: "equal" };
    range = { after: said.parts[at - 1]?.through_id ?? range.after, through: part.through_id };
  }
  throw new SvcError("federation_hub_refused", { reason: "hub_validation" });
}

function reasonOf(
  said: HubSums | "too_old",
  { epoch }: Replica,
  horizon: number,
): Reason | undefined {
  if (said === "too_old") return "hub_too_old";
  if (said.epoch !== epoch) return "hub_log_changed";
  if (said.reset_required) return "reset_required";
  return said.from === horizon ? undefined : "horizon_moved";
}

/** The ids at which the parts end; the end of the range if its events are listed. */
function endsOf({ parts, events }: HubSums, { through }: SumRange): readonly number[] {
  return events === undefined ? parts.map(({ through_id }) => through_id) : [through];
}

function countOf({ parts, events }: HubSums): number {
  return events?.length ?? parts.reduce((sum, { count }) => sum + count, 0);
}

/** Returns the first event that differs, in the order of the ids on the hub; undefined if none does. */
async function firstOf(
  own: CopyRange,
  range: SumRange,
  listed: NonNullable<HubSums["events"]>,
): Promise<Difference | undefined> {
  const here = await own.list(range, listed.length + DIGEST_EVENTS);
  const byId = new Map(here.map((event) => [event.event_id, event]));
  const onHub = new Set(listed.map(({ event_id }) => event_id));
  const wrong = listed.find(({ event_id, event_uid, content_hash }) => {
    const known = byId.get(event_id);
    return known?.uid !== event_uid || known.content_hash !== content_hash;
  });
  const extra = here.find(({ event_id }) => !onHub.has(event_id));
  if (wrong !== undefined && (extra === undefined || wrong.event_id < extra.event_id)) {
    const { event_id, event_uid, type, issue_uid, created_at } = wrong;
    const kind = byId.has(event_id) ? "other_content" : "missing_here";
    const about = issue_uid === undefined ? {} : { issue_uid };
    return { kind, event_id, event_uid, type, ...about, created_at };
  }
  return extra === undefined ? undefined : await own.outline(extra);
}

/** The events of a copy that its hub has too, read in portions. */
class CopyRange {
  readonly #store: Needs["store"];
  readonly #project: string;

  constructor(store: Needs["store"], { project_uid }: BindingRow) {
    this.#store = store;
    this.#project = project_uid;
  }

  /** The sum of each part of the range; `ends` are the ids with which the parts end. */
  async sums({ after }: SumRange, ends: readonly number[]): Promise<readonly HashSum[]> {
    const sums: HashSum[] = [];
    let from = after;
    for (const through of ends) {
      let sum = NO_HASHES;
      for (;;) {
        const events = await this.list({ after: from, through }, EVENTS_PER_READ);
        sum = joinSums(sum, sumOfEvents(events));
        from = events.at(-1)?.event_id ?? through;
        if (events.length < EVENTS_PER_READ) break;
        await yieldToLoop();
      }
      from = through;
      sums.push(sum);
    }
    return sums;
  }

  async list({ after, through }: SumRange, limit: number): Promise<readonly HashedEvent[]> {
    const range = { project: this.#project, side: "spoke", after, through, limit } as const;
    return await this.#store.read(async ({ federation }) => await federation.hubHashes(range));
  }

  /** Describes an event that the hub does not have. */
  async outline({ event_id, uid: event_uid }: HashedEvent): Promise<Difference> {
    const [found] = await this.#store.read(
      async ({ federation }) => await federation.outlines([event_uid]),
    );
    const { type, issue_uid, created_at } = found ?? {};
    return {
      ...{ kind: "missing_there", event_id, event_uid },
      ...(type === undefined ? {} : { type }),
      ...(issue_uid === undefined ? {} : { issue_uid }),
      ...(created_at === undefined ? {} : { created_at }),
    };
  }
}
