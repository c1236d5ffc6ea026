import { yieldToLoop } from "../../base/yield-to-loop.ts";
import {
  type verifyFederationReplica as contract,
  MAX_DIFFERENT_ROWS,
  OTHER_ROWS,
} from "../../contract/federation-verify.ts";
import type { Output } from "../../contract/route.ts";
import { FOLD_VERSION } from "../../domain/federation/digest.ts";
import type { HashedRowKind, RowHash } from "../../store/types/federation.ts";
import type { Deps } from "../deps.ts";
import type { ComparedCopy } from "./compared-copy.ts";
import type { Federation } from "./far-side.ts";
import type { HubRowHashes } from "./hub-questions.ts";

type Rows = NonNullable<Output<typeof contract>["rows"]>;
type Others = NonNullable<Rows["others"]>;

interface Needs {
  readonly store: Deps["store"];
  readonly federation: Pick<Federation, "digests">;
}

interface Events {
  /** Whether hub and copy have the same events. */
  readonly isEqual: boolean;
  readonly hub_fold_version: number | undefined;
}

/** How many issues or other rows are read at a time. */
const PAGE = 500;
/** A copy with more unsent events than this is not compared. */
const MOST_UNSENT = 5000;

/**
 * Compares the issues, and then the project, its workflows, jobs and runs, by a hash over the fields that are sent
 * between daemons. Leaves out rows that unsent events name, and rows that the hub has changed after the cursor of the
 * copy: the other side cannot know these changes yet.
 */
export async function compareRows(needs: Needs, copy: ComparedCopy, events: Events): Promise<Rows> {
  const issues = await compareKind(needs, copy, "issue");
  const others: Others = { compared: 0, left_out: 0, different: 0, rows: [] };
  let state: "whole" | "partial" | "unknown" = issues.state;
  for (const row of OTHER_ROWS) {
    if (state !== "whole") break;
    const found = await compareKind(needs, copy, row);
    ({ state } = found);
    others.compared += found.compared;
    others.left_out += found.left_out;
    others.different += found.different.length;
    others.rows.push(...found.different.map(({ uid, kind }) => ({ row, uid, kind })));
  }
  const { compared, left_out, different } = issues;
  const isDifferent = different.length + others.different > 0;
  return {
    state: stateOf(state, isDifferent),
    ...{ compared, left_out, different: different.length },
    issues: different
      .slice(0, MAX_DIFFERENT_ROWS)
      .map(({ uid, kind }) => ({ issue_uid: uid, kind })),
    ...(state === "whole"
      ? { others: { ...others, rows: others.rows.slice(0, MAX_DIFFERENT_ROWS) } }
      : {}),
    ...(isDifferent && state !== "unknown" ? { cause: causeOf(events) } : {}),
  };
}

function stateOf(state: "whole" | "partial" | "unknown", isDifferent: boolean): Rows["state"] {
  if (state === "unknown") return "unknown";
  if (isDifferent) return "different";
  return state === "whole" ? "equal" : "partial";
}

interface Difference {
  readonly uid: string;
  readonly kind: Rows["issues"][number]["kind"];
}

interface Compared {
  readonly compared: number;
  readonly left_out: number;
  readonly different: readonly Difference[];
}

/**
 * `partial`: the hub is older, and has hashes of issues alone. `unknown`: the two sides cannot be compared now, for
 * example because one of them has changed too much.
 */
async function compareKind(
  { store, federation: { digests } }: Needs,
  { binding, replica }: ComparedCopy,
  row: HashedRowKind,
): Promise<Compared & { readonly state: "whole" | "partial" | "unknown" }> {
  const project = binding.project_uid;
  const different: Difference[] = [];
  let [compared, left_out, after] = [0, 0, ""];
  for (;;) {
    const soFar = { compared, left_out, different };
    const own = await store.read(async (reader) => {
      const now = await reader.unfolded.find("federation_binding", { project_uid: project });
      if (now?.created_at !== binding.created_at) return undefined;
      const { push_cursor_event_id, pull_cursor_event_id: cursor } = now;
      const unsent = await reader.federation.namedLater({
        ...{ project, side: "spoke", after: push_cursor_event_id, limit: MOST_UNSENT },
      });
      const range = { row, project, after, through: undefined, limit: PAGE };
      const rows = await reader.federation.rowHashes(range);
      return unsent === undefined ? undefined : { cursor, unsent, rows };
    });
    if (own === undefined) return { state: "unknown", ...soFar };
    const last = own.rows.at(-1)?.uid;
    const ownEnd = own.rows.length < PAGE ? undefined : last;
    const asked = { row, afterUid: after, throughUid: ownEnd, through: own.cursor };
    const said = await digests.rowHashes(replica, asked);
    if (said === "too_old" || said.behind || said.reset_required || said.epoch !== replica.epoch)
      return { state: "unknown", ...soFar };
    const hub = hashesOf(said, row);
    if (hub === undefined) return { state: "partial", ...soFar };
    // If the hub has more rows than one answer can have, the next question asks for the rest.
    const end = said.more ? hub.at(-1)?.uid : ownEnd;
    const page = compareHashes(
      own.rows.filter(({ uid }) => end === undefined || uid <= end),
      hub,
      own.unsent,
    );
    compared += page.compared;
    left_out += page.left_out;
    different.push(...page.different);
    if (end === undefined) return { state: "whole", compared, left_out, different };
    after = end;
    await yieldToLoop();
  }
}

interface HubHash {
  readonly uid: string;
  readonly hash?: string | undefined;
}

function hashesOf(
  { issues, rows }: HubRowHashes,
  row: HashedRowKind,
): readonly HubHash[] | undefined {
  if (row !== "issue") return rows;
  return issues.map(({ issue_uid, hash }) => ({ uid: issue_uid, hash }));
}

function compareHashes(
  own: readonly RowHash[],
  hub: readonly HubHash[],
  unsent: ReadonlySet<string>,
): Compared {
  const hubHashes = new Map(hub.map(({ uid, hash }) => [uid, hash]));
  const ownHashes = new Map(own.map(({ uid, hash }) => [uid, hash]));
  const different: Difference[] = [];
  let [compared, left_out] = [0, 0];
  for (const uid of [...new Set([...ownHashes.keys(), ...hubHashes.keys()])].sort()) {
    const isLater = hubHashes.has(uid) && hubHashes.get(uid) === undefined;
    if (isLater || unsent.has(uid)) {
      left_out += 1;
      continue;
    }
    compared += 1;
    const [here, there] = [ownHashes.get(uid), hubHashes.get(uid)];
    if (here === there) continue;
    const kind =
      here === undefined ? "missing_here" : there === undefined ? "missing_there" : "other_rows";
    different.push({ uid, kind });
  }
  return { compared, left_out, different };
}

function causeOf({ isEqual, hub_fold_version = FOLD_VERSION }: Events): NonNullable<Rows["cause"]> {
  if (!isEqual) return "events_differ";
  if (hub_fold_version === FOLD_VERSION) return "faulty_fold";
  return hub_fold_version > FOLD_VERSION ? "older_fold_here" : "older_fold_there";
}
