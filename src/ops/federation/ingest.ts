import { NeedsWorker } from "../../base/budget.ts";
import { SvcError } from "../../contract/errors.ts";
import type { ingestFederationProjectEvents as contract } from "../../contract/federation-transport.ts";
import type { Input, Output } from "../../contract/route.ts";
import { leaseViolated } from "../../domain/drafts/leases.ts";
import type { AdoptionMarker } from "../../domain/federation/adoption.ts";
import { misplacedIn, refusalOfPushed } from "../../domain/federation/pushed.ts";
import { isStale } from "../../domain/federation/stamps.ts";
import { NEWEST_WIRE_VERSION } from "../../domain/federation/wire.ts";
import { needsLease } from "../../domain/leased-events.ts";
import { isHolder, isLeased } from "../../domain/leases.ts";
import type { EnrollmentRow } from "../../store/types/federation.ts";
import type { AdmitFault, ForeignEvent, Tx } from "../../store/types/store.ts";
import type { Deps, Principal } from "../deps.ts";
import { markerOf, takeAdoptionPart } from "./adoption-part.ts";
import { type Enrolled, requireEnrolled, requireFeatures } from "./enrolled.ts";
import { checkForeignEvent, newPeersOf } from "./foreign-event.ts";
import { type PushedEvents, parsePushed, refusedEvent } from "./pushed-events.ts";

type Request = Input<typeof contract>;
type Answer = Output<typeof contract>;

/** A request with more events is carried out in the write worker. */
const SMALL_BATCH = 5;

/**
 * Adds the events of a spoke to the log of its hub, all or none (docs/contract/federation.md#73-what-a-hub-accepts). An
 * event that the log has is a duplicate, and changes nothing. An event of a purged issue is accepted and dropped. If an
 * event changed an issue although somebody else had its lease, `claim.violated` follows it. The enrollment is checked
 * again in the transaction.
 */
export async function ingestFederationProjectEvents(
  { store, smallWorkOnly }: Pick<Deps, "store" | "smallWorkOnly">,
  who: Principal,
  { params, headers, body }: Request,
): Promise<Answer> {
  const features = headers["x-svc-event-features"];
  const enrolledIn = async (reader: Parameters<typeof requireEnrolled>[0]) => {
    const enrolled = await requireEnrolled(reader, who, {
      project_id: params.project_id,
      instance: headers["x-svc-instance"],
      capability: "push",
    });
    await requireFeatures(reader, enrolled.project, features);
    return enrolled;
  };
  const { enrollment, project } = await store.read(enrolledIn);
  requireVersion(body.schema_version);
  const marker = markerOf(body);
  if (smallWorkOnly === true && body.events.length > SMALL_BATCH) throw new NeedsWorker();
  const pushed = parsePushed(body.events, project.uid);
  for (const event of pushed.events) checkPushed(event, enrollment);
  if (pushed.events.length === 0) return { accepted: 0, duplicates: 0, push_cursor_event_id: 0 };
  return await withOwnCodes(
    async () =>
      await store.write(async (tx) => {
        const enrolled = await enrolledIn(tx);
        await requireStamp(tx, enrolled, headers["x-svc-replica-stamp"]);
        return await addPushed(tx, enrolled.enrollment, pushed, marker);
      }),
  );
}

/**
 * Throws if another replica has read under this enrollment after the last read of the replica that sends the events.
 */
async function requireStamp(
  { unfolded }: Tx,
  { enrollment, project }: Enrolled,
  stamp: string | undefined,
): Promise<void> {
  if (stamp === undefined) return;
  const key = { enrollment_id: enrollment.id, project_uid: project.uid };
  const known = await unfolded.find("federation_replica", key);
  if (isStale(known, stamp)) throw new SvcError("federation_replica_stale");
}

function requireVersion(version: unknown): void {
  if (!Number.isSafeInteger(version) || Number(version) <= 0)
    throw new SvcError("invalid_federation_schema");
  if (Number(version) > NEWEST_WIRE_VERSION)
    throw new SvcError("unsupported_federation_schema", { supported: NEWEST_WIRE_VERSION });
}

/**
 * Checks everything about an event except the author of a snapshot. Authors are checked in the transaction, since a
 * snapshot that the hub already has may have other authors even after the adoption.
 */
function checkPushed(event: ForeignEvent, enrollment: EnrollmentRow): void {
  checkGrant(event, { ...enrollment, allow_adoption_snapshot_authors: 1 });
  checkForeignEvent(event);
}

function checkGrant(event: ForeignEvent, enrollment: EnrollmentRow): void {
  const why = refusalOfPushed(event, enrollment);
  if (why !== undefined) throw refusedEvent(event, why);
}

async function addPushed(
  tx: Tx,
  enrollment: EnrollmentRow,
  { events, lastEventId }: PushedEvents,
  marker: AdoptionMarker | undefined,
): Promise<Answer> {
  const fresh = await freshAmong(tx, events);
  // Another request may have ended the adoption since the events were checked.
  for (const event of fresh) checkGrant(event, enrollment);
  await takeAdoptionPart(tx, enrollment, { events, fresh: fresh.length, marker });
  await checkPlaces(tx, fresh, enrollment);
  const { accepted, duplicates, dropped } = await tx.admit(events, { fromHub: false });
  await noteViolations(tx, fresh, enrollment);
  return { accepted: accepted + dropped, duplicates, push_cursor_event_id: lastEventId };
}

/**
 * Returns the events that the log lacks, each once, without events of purged issues. `admit` refuses an event that the
 * log has with other contents.
 */
async function freshAmong(
  tx: Tx,
  events: readonly ForeignEvent[],
): Promise<readonly ForeignEvent[]> {
  const stored = new Set((await tx.federation.hashesOf(events.map(({ uid }) => uid))).keys());
  const purged = await tx.federation.purgedAmong(issuesOf(events));
  return events.filter(({ uid, issue_uid = "" }) => {
    if (stored.has(uid) || purged.has(issue_uid)) return false;
    stored.add(uid);
    return true;
  });
}

/**
 * Checks that the events fit the issues that the hub has, and that they link only issues of projects that the spoke may
 * read.
 */
async function checkPlaces(
  tx: Tx,
  fresh: readonly ForeignEvent[],
  enrollment: EnrollmentRow,
): Promise<void> {
  const peers = fresh.map((event) => [event, newPeersOf(event)] as const);
  const uids = new Set([...issuesOf(fresh), ...peers.flatMap(([, added]) => added)]);
  const known = await tx.issues.many([...uids]);
  const misplaced = misplacedIn(fresh, new Set(known.keys()));
  if (misplaced !== undefined) throw refusedEvent(misplaced.event, misplaced.why);
  const granted = await tx.federation.grantedTo(enrollment.spoke_instance_uid);
  if (granted.has(null)) return;
  for (const [event, added] of peers)
    for (const uid of added) {
      const project = known.get(uid)?.project_uid ?? event.project_uid;
      if (project !== event.project_uid && !granted.has(project))
        throw refusedEvent(event, "it links an issue of a project that this spoke may not read");
    }
}

/**
 * Writes `claim.violated` for each of the events that changed an issue which somebody else has leased now. The changes
 * stay.
 *
 * The lease at the arrival of the event decides, not the lease at the time of its clock
 * (docs/contract/federation.md#73-what-a-hub-accepts and docs/contract/federation.md#13-outcomes, row 57): the issue
 * changes for the hub, and so for whoever has the lease, when the event arrives. So a change that is older than the
 * lease is a violation, and a change that was made during a lease which has ended is none. The hub could not judge by
 * the clock of a spoke anyway, which may be wrong by a day.
 */
async function noteViolations(
  tx: Tx,
  fresh: readonly ForeignEvent[],
  { bound_actor, spoke_instance_uid }: EnrollmentRow,
): Promise<void> {
  const who = { holder: bound_actor, holder_instance_uid: spoke_instance_uid };
  for (const event of fresh) {
    const { issue_uid: uid, project_uid } = event;
    if (uid === undefined || !needsLease(event)) continue;
    const lease = await tx.lease(uid);
    if (lease === undefined || !isLeased(lease, await tx.leaseNow()) || isHolder(lease, who))
      continue;
    const act = { actor: bound_actor, now: tx.now };
    await tx.append(leaseViolated({ uid, project_uid }, lease, event, act));
  }
}

/** Gives error codes of their own to the refusals of `Tx.admit` that a spoke must be able to distinguish. */
async function withOwnCodes(add: () => Promise<Answer>): Promise<Answer> {
  try {
    return await add();
  } catch (error) {
    const code = error instanceof SvcError ? codeOf(error) : undefined;
    if (code === undefined || !(error instanceof SvcError)) throw error;
    const { event_uid } = error.data;
    throw new SvcError(code, { event_uid }, { message: error.message, cause: error });
  }
}

function codeOf({ data }: SvcError): Exclude<AdmitFault, "own_event_missing"> | undefined {
  const { fault } = data;
  return fault === "remote_event_conflict" || fault === "clock_ahead" ? fault : undefined;
}

function issuesOf(events: readonly ForeignEvent[]): readonly string[] {
  return events.flatMap(({ issue_uid }) => issue_uid ?? []);
}
