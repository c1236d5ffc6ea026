import { valueText } from "./bridge-choices.ts";
import type { IssueView } from "./shown.ts";
import type { Bridge, Detail, IssueEvent } from "./state.ts";

/** One fact of the bridge of an issue. */
export interface BridgeRow {
  readonly name: string;
  readonly text: string;
  readonly tone?: "warn" | "error";
}

/**
 * How the screen writes times, and texts of others on one line. The page loads this file late, and what it would import
 * for them would become further scripts of its first load.
 */
export interface BridgeWords {
  /** How long ago it was, or when, as part of a sentence. */
  phrase(instant: string): string;
  /** How long it is until then: `4m`, and `0s` once it is past. */
  left(instant: string): string;
  readonly short: (text: string) => string;
}

/**
 * What the detail of an issue says of its bridge; empty without a root. What the daemon does not show to this caller
 * comes from the events of the issue, which name neither values nor errors.
 */
export function bridgeRows(
  { issue, detail }: Pick<IssueView, "issue" | "detail">,
  how: BridgeWords,
): readonly BridgeRow[] {
  const { external_root: root } = issue;
  if (root === undefined) return [];
  const { bridge } = detail ?? {};
  return bridge === undefined
    ? loggedRows(root, detail, how)
    : [
        rootRow(bridge, bridge.paused_reason, how, stateThere(bridge, how)),
        ...errorRows(bridge, how),
        ...pendingRows(bridge.pending_comment_uid, bridge.connector_instance, detail, how),
        ...conflictRows(bridge, how),
      ];
}

interface Root {
  readonly connector_instance: string;
  readonly enabled: boolean;
}

function rootRow(
  { connector_instance, enabled }: Root,
  reason: string | undefined,
  { short }: BridgeWords,
  more: readonly string[] = [],
): BridgeRow {
  const why = reason === undefined ? "" : `: ${PAUSES.get(reason) ?? short(reason)}`;
  const paused = enabled ? [] : [`paused${why}`];
  const text = [short(connector_instance), ...paused, ...more].join(", ");
  return enabled ? { name: "root", text } : { name: "root", text, tone: "warn" };
}

/** The reasons for which a daemon pauses a bridge by itself (docs/contract/connectors.md#6-the-reconcile). */
const PAUSES: ReadonlyMap<string, string> = new Map([
  ["project_archived", "its project was archived"],
  ["external_connector_missing", "the connector is not configured"],
  ["external_root_identity_changed", "the connector reads another account or record"],
  ["external_root_missing", "the record is gone"],
  ["external_root_deleted", "the record was deleted"],
  ["restore_reconfirmation_required", "it was restored from an export"],
]);

function stateThere(bridge: Bridge, how: BridgeWords): readonly string[] {
  const { last_external_state: state, last_success_at: at } = bridge;
  return [
    ...(state === undefined ? [] : [`${state} there`]),
    ...(at === undefined ? [] : [`reconciled ${how.phrase(at)}`]),
  ];
}

function errorRows(bridge: Bridge, how: BridgeWords): readonly BridgeRow[] {
  const { last_error: error, consecutive_failures: failures, next_attempt_at: next } = bridge;
  if (error === undefined || failures === 0) return [];
  const again = next === undefined || !bridge.enabled ? [] : [`again ${soonOr(how.left(next))}`];
  const text = [how.short(error), `failures: ${failures}`, ...again].join(", ");
  return [{ name: "error", text, tone: "error" }];
}

/** The daemon looks for bridges that are due every 30 seconds, so a time that is past says only that it is soon. */
function soonOr(left: string): string {
  return left === "0s" ? "soon" : `in ${left}`;
}

function pendingRows(
  uid: string | undefined,
  there: string,
  detail: Detail | undefined,
  { short }: BridgeWords,
): readonly BridgeRow[] {
  if (uid === undefined) return [];
  const comment = detail?.show?.comments.find((one) => one.uid === uid);
  const which = comment === undefined ? uid : `"${short(comment.body)}" of ${comment.author}`;
  const text = `${which}: whether it reached ${short(there)} is not known`;
  return [{ name: "comment", text, tone: "warn" }];
}

function conflictRows(
  { field_conflicts }: Pick<Bridge, "field_conflicts">,
  how: BridgeWords,
): readonly BridgeRow[] {
  return field_conflicts.map(({ field, local_candidate, external_candidate, conflict_at: at }) => {
    const since = at === undefined ? "" : `, since ${how.phrase(at)}`;
    const values = `${valueText(local_candidate)} here, ${valueText(external_candidate)} there`;
    return { name: "conflict", text: `${field}: ${values}${since}`, tone: "warn" };
  });
}

/** The rows of a bridge that this caller may not see, or that is on another daemon. */
function loggedRows(
  root: Root,
  detail: Detail | undefined,
  how: BridgeWords,
): readonly BridgeRow[] {
  const { reason, pending, conflicts } = loggedBridge(detail?.events ?? []);
  const rows = [...conflicts].map(([field, at]): BridgeRow => {
    const since = how.phrase(at);
    return {
      name: "conflict",
      text: `${field} differs here and there, since ${since}`,
      tone: "warn",
    };
  });
  const error = detail?.bridgeError;
  return [
    rootRow(root, root.enabled ? undefined : reason, how),
    ...pendingRows(pending, root.connector_instance, detail, how),
    ...rows,
    ...(error === undefined ? [] : [{ name: "bridge", text: how.short(error) }]),
  ];
}

interface LoggedBridge {
  readonly reason: string | undefined;
  readonly pending: string | undefined;
  /** The fields in conflict, and since when. */
  readonly conflicts: ReadonlyMap<string, string>;
}

const KINDS = "issue.external_";

/** What the events of an issue, the oldest first, say of its last bridge (docs/contract/events.md#38-bridges). */
function loggedBridge(events: readonly IssueEvent[]): LoggedBridge {
  let reason: string | undefined;
  let pending: string | undefined;
  let conflicts = new Map<string, string>();
  for (const { type, payload, created_at } of events) {
    if (!type.startsWith(KINDS)) continue;
    pending = textIn(payload, "pending_comment_uid");
    const field = textIn(payload, "svc_field") ?? "";
    if (type === "issue.external_root_bound") conflicts = new Map();
    if (type === "issue.external_root_paused") reason = textIn(payload, "reason");
    if (type === "issue.external_field_conflicted") conflicts.set(field, created_at);
    if (type === "issue.external_field_resolved") conflicts.delete(field);
  }
  return { reason, pending, conflicts };
}

function textIn(payload: Readonly<Record<string, unknown>>, name: string): string | undefined {
  const value = payload[name];
  return typeof value === "string" ? value : undefined;
}
