import { yieldToLoop } from "../../base/yield-to-loop.ts";
import {
  type verifyFederationReplica as contract,
  MAX_DIFFERENT_ISSUES,
} from "../../contract/federation-verify.ts";
import type { Output } from "../../contract/route.ts";
import { FOLD_VERSION } from "../../domain/federation/digest.ts";
import type { IssueHash } from "../../store/types/federation.ts";
import type { Deps } from "../deps.ts";
import type { ComparedCopy } from "./compared-copy.ts";
import type { Federation } from "./far-side.ts";
import type { HubIssueHashes } from "./hub-digests.ts";

type Rows = NonNullable<Output<typeof contract>["rows"]>;
type DifferentIssue = Rows["issues"][number];

interface Needs {
  readonly store: Deps["store"];
  readonly federation: Pick<Federation, "digests">;
}

interface Events {
  /** Whether hub and copy have the same events. */
  readonly isEqual: boolean;
  readonly hub_fold_version: number | undefined;
}

/** How many issues are read at a time. */
const PAGE = 500;
/** A copy with more unsent events than this is not compared. */
const MOST_UNSENT = 5000;

/**
 * Compares the rows of each issue, by a hash over the columns that cross. Issues that only one side can know by now are left
 * out: those that unsent events name, and those that the hub has changed since it was read.
 */
export async function compareRows(
  { store, federation: { digests } }: Needs,
  { binding, replica }: ComparedCopy,
  events: Events,
): Promise<Rows> {
  const project = binding.project_uid;
  const different: DifferentIssue[] = [];
  let [compared, left_out, after] = [0, 0, ""];
  const unknown = (): Rows => ({
    ...{ state: "unknown", compared, left_out },
    ...{ different: different.length, issues: different.slice(0, MAX_DIFFERENT_ISSUES) },
  });
  for (;;) {
    const own = await store.read(async (reader) => {
      const now = await reader.unfolded.find("federation_binding", { project_uid: project });
      if (now?.created_at !== binding.created_at) return undefined;
      const { push_cursor_event_id, pull_cursor_event_id: cursor } = now;
      const unsent = await reader.federation.namedLater({
        ...{ project, side: "spoke", after: push_cursor_event_id, limit: MOST_UNSENT },
      });
      const range = { project, after, through: undefined, limit: PAGE };
      const issues = await reader.federation.issueHashes(range);
      return unsent === undefined ? undefined : { cursor, unsent, issues };
    });
    if (own === undefined) return unknown();
    const last = own.issues.at(-1)?.issue_uid;
    const ownEnd = own.issues.length < PAGE ? undefined : last;
    const asked = { afterUid: after, throughUid: ownEnd, through: own.cursor };
    const said = await digests.issueHashes(replica, asked);
    if (said === "too_old" || said.behind || said.reset_required || said.epoch !== replica.epoch)
      return unknown();
    // If the hub has more issues than one answer can have, the next question asks for the rest.
    const end = said.more ? said.issues.at(-1)?.issue_uid : ownEnd;
    const page = compareHashes(
      own.issues.filter(({ issue_uid }) => end === undefined || issue_uid <= end),
      said.issues,
      own.unsent,
    );
    compared += page.compared;
    left_out += page.left_out;
    different.push(...page.different);
    if (end === undefined) break;
    after = end;
    await yieldToLoop();
  }
  const issues = different.slice(0, MAX_DIFFERENT_ISSUES);
  const counts = { compared, left_out, different: different.length, issues };
  if (different.length === 0) return { state: "equal", ...counts };
  return { state: "different", ...counts, cause: causeOf(events) };
}

function compareHashes(
  own: readonly IssueHash[],
  hub: HubIssueHashes["issues"],
  unsent: ReadonlySet<string>,
): Pick<Rows, "compared" | "left_out"> & { readonly different: readonly DifferentIssue[] } {
  const hubHashes = new Map(hub.map(({ issue_uid, hash }) => [issue_uid, hash]));
  const ownHashes = new Map(own.map(({ issue_uid, hash }) => [issue_uid, hash]));
  const different: DifferentIssue[] = [];
  let [compared, left_out] = [0, 0];
  for (const issue_uid of [...new Set([...ownHashes.keys(), ...hubHashes.keys()])].sort()) {
    const isLater = hubHashes.has(issue_uid) && hubHashes.get(issue_uid) === undefined;
    if (isLater || unsent.has(issue_uid)) {
      left_out += 1;
      continue;
    }
    compared += 1;
    const [here, there] = [ownHashes.get(issue_uid), hubHashes.get(issue_uid)];
    if (here === there) continue;
    const kind =
      here === undefined ? "missing_here" : there === undefined ? "missing_there" : "other_rows";
    different.push({ issue_uid, kind });
  }
  return { compared, left_out, different };
}

function causeOf({ isEqual, hub_fold_version = FOLD_VERSION }: Events): NonNullable<Rows["cause"]> {
  if (!isEqual) return "events_differ";
  if (hub_fold_version === FOLD_VERSION) return "faulty_fold";
  return hub_fold_version > FOLD_VERSION ? "older_fold_here" : "older_fold_there";
}
