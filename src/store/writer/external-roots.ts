import { instantToMs } from "../../base/clock.ts";
import type { ErrorCode } from "../../contract/error-codes.ts";
import { SvcError } from "../../contract/errors.ts";
import type { EventDraft } from "../../contract/events.ts";
import { connectorActor } from "../../contract/reserved-actors.ts";
import { isClaimed } from "../../domain/bridges/claim.ts";
import { intrusionOf } from "../../domain/bridges/guards.ts";
import { externalRootPaused } from "../../domain/drafts/bridges.ts";
import type { ExternalRootRow } from "../../domain/state.ts";
import type { Appending } from "../append.ts";
import { load } from "../load/load.ts";
import type { BridgeClaim, Bridges, StoredBridge } from "../types/bridges.ts";
import type { Tx } from "../types/store.ts";

/** Returns the bridge of the claim. Throws `external_root_claim_lost` if its run must end. */
export async function requireClaim(
  bridges: Pick<Bridges, "byUid">,
  { binding_uid, claim_token }: BridgeClaim,
): Promise<StoredBridge> {
  const bridge = await bridges.byUid(binding_uid);
  if (bridge?.active !== 1 || bridge.enabled === 0 || bridge.claim_token !== claim_token)
    throw new SvcError("external_root_claim_lost", { binding_uid });
  return bridge;
}

/** Whether an issue may have an external root after these events of other daemons. */
export function mayBind(events: readonly { readonly type: string }[]): boolean {
  return events.some(({ type }) => SETS_ROOT.has(type));
}

const SETS_ROOT: ReadonlySet<string> = new Set(["issue.external_root_bound", "issue.snapshot"]);

/** What owns the words of an issue: a bridge of this daemon, or one of another daemon, of which only the log tells. */
interface Owner {
  readonly bridge: StoredBridge | undefined;
  readonly binding_uid: string;
  readonly connector_instance: string;
}

type Bound = Pick<Tx, "bridges" | "unfolded" | "now" | "append">;

/**
 * Refuses what the roots of bound issues forbid (docs/contract/connectors.md#51-what-a-root-forbids). Belongs to one
 * write. Nothing is read if the database has no bound issue. Events of other daemons do not come here: the next run
 * restores the words of the root.
 */
export class RootGuard {
  readonly #to: Appending;
  readonly #tx: Bound;
  /** The uids of the bridges whose runs write. */
  readonly #acting = new Set<string>();

  constructor(to: Appending, tx: Bound) {
    this.#to = to;
    this.#tx = tx;
  }

  /** Lets the run of the bridge change what its root owns. */
  permit(bridge: StoredBridge): void {
    this.#acting.add(bridge.uid);
  }

  /** Throws if a root forbids one of the events. */
  async check(drafts: readonly EventDraft[]): Promise<void> {
    this.#to.hasRoots ||= drafts.some(({ type }) => type === "issue.external_root_bound");
    const judged = this.#to.hasRoots
      ? drafts.filter((draft) => intrusionOf(draft) !== undefined)
      : [];
    if (judged.length === 0) return;
    await this.#load(judged.flatMap(({ issue_uid }) => issue_uid ?? []));
    for (const draft of judged) await this.#checkOne(draft);
  }

  /** Throws if a root forbids to purge the issue. */
  async checkPurge(issue: { readonly uid: string; readonly project_uid: string }): Promise<void> {
    if (!this.#to.hasRoots) return;
    await this.#load([issue.uid]);
    const found = await this.#ownerOf(issue.uid);
    if (found !== undefined && (await this.#isOwned(found, issue.project_uid)))
      throw refused("external_root_content_owned", issue.uid);
  }

  /** Throws if an issue of the project has a bridge. */
  async checkProjectPurge({ uid }: { readonly uid: string }): Promise<void> {
    if (this.#to.hasRoots && (await this.#tx.bridges.activeIn(uid)))
      throw new SvcError("external_root_content_owned", { project_uid: uid });
  }

  /**
   * Pauses the bridges of an archived project, so that a restore of the project does not resume them unseen. A copy that
   * only reads pauses them too, without an event.
   */
  async pauseArchived({ project_uid, actor }: EventDraft): Promise<void> {
    if (!this.#to.hasRoots) return;
    const { copies, connection } = this.#to;
    const canTell = await copies.mayWrite(connection, "issue.external_root_paused", project_uid);
    const paused_reason = "project_archived";
    for (const bridge of await this.#tx.bridges.allActiveIn(project_uid)) {
      if (bridge.enabled === 0) continue;
      const after = { ...bridge, enabled: 0 as const, paused_reason };
      await this.#put({ ...after, ...NO_CLAIM });
      const issue = { uid: bridge.issue_uid, project_uid };
      const act = { actor, now: this.#tx.now };
      if (canTell) await this.#tx.append(externalRootPaused(issue, after, paused_reason, act));
    }
  }

  async #load(uids: readonly string[]): Promise<void> {
    const { connection, loaded } = this.#to;
    await load(connection, loaded, { rows: { external_root: uids } });
  }

  #rootOf(issueUid: string): ExternalRootRow | undefined {
    return this.#to.loaded.row("external_root", issueUid);
  }

  async #checkOne(draft: EventDraft): Promise<void> {
    const { issue_uid = "", project_uid } = draft;
    const intrusion = intrusionOf(draft);
    if (intrusion === "project") return await this.#endOldRuns(draft);
    const owner = await this.#ownerOf(issue_uid);
    if (owner === undefined || this.#acting.has(owner.binding_uid)) return;
    if (intrusion === "place") return await this.#endOldRun(owner.bridge);
    if (!(await this.#isOwned(owner, project_uid))) return;
    if (intrusion === "content") throw refused("external_root_content_owned", issue_uid);
    const { comment_uid } = draft.payload as { readonly comment_uid: string };
    if (await this.#isImported(owner, comment_uid))
      throw refused("external_comment_content_owned", issue_uid);
  }

  /**
   * The bridge of this daemon decides, whatever the log says: an event of another daemon may end the bridge or name
   * another one, and the bridge here still runs.
   */
  async #ownerOf(issue_uid: string): Promise<Owner | undefined> {
    const bridge = await this.#tx.bridges.active(issue_uid);
    if (bridge !== undefined)
      return { bridge, binding_uid: bridge.uid, connector_instance: bridge.connector_instance };
    const root = this.#rootOf(issue_uid);
    return root && { ...root, bridge };
  }

  /**
   * Whether the root owns the words here. Elsewhere, on the hub of a copy that bound the issue and on a daemon that left
   * its hub, nobody could end the bridge, so they stay free there.
   */
  async #isOwned({ bridge }: Owner, project_uid: string): Promise<boolean> {
    const { copies, connection } = this.#to;
    return bridge !== undefined || (await copies.isCopy(connection, project_uid));
  }

  /**
   * A daemon that only has a copy knows an imported comment by the event that added it. Of a comment that came with a
   * snapshot it has no such event, and looks at the author.
   */
  async #isImported({ bridge, connector_instance }: Owner, comment_uid: string): Promise<boolean> {
    const { connection, loaded } = this.#to;
    if (bridge !== undefined)
      return (await this.#tx.bridges.localComment(bridge.uid, comment_uid))?.state === "imported";
    await load(connection, loaded, { comments: [comment_uid] });
    const comment = loaded.comment(comment_uid);
    if (comment === undefined) return false;
    const added = await this.#tx.bridges.addingComment(comment.issue_uid, comment_uid);
    return added === undefined
      ? comment.author === connectorActor(connector_instance)
      : added.source?.connector_instance === connector_instance;
  }

  async #endOldRuns({ type, project_uid, payload }: EventDraft): Promise<void> {
    const { source_uid = project_uid } = payload as { readonly source_uid?: string };
    const project = type === "project.merged" ? source_uid : project_uid;
    for (const bridge of await this.#tx.bridges.allActiveIn(project)) await this.#endOldRun(bridge);
  }

  /** Throws if a run works on the bridge. The claim of a run that was killed is removed. */
  async #endOldRun(bridge: StoredBridge | undefined): Promise<void> {
    if (bridge === undefined || bridge.claim_token === null) return;
    if (isClaimed(bridge, instantToMs(this.#tx.now)))
      throw refused("external_root_claim_active", bridge.issue_uid);
    await this.#put({ ...bridge, ...NO_CLAIM });
  }

  async #put(bridge: StoredBridge): Promise<void> {
    const updated_at = this.#tx.now;
    await this.#tx.unfolded.put("external_root_binding", { ...bridge, updated_at });
  }
}

const NO_CLAIM = { claim_token: null, claim_started_at: null } as const;

function refused(code: ErrorCode, issue_uid: string): SvcError {
  return new SvcError(code, { issue_uid });
}
