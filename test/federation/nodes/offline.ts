import { msToInstant } from "../../../src/base/clock.ts";
import { canonicalJson, type JsonObject } from "../../../src/base/json.ts";
import type { EventDraft } from "../../../src/contract/events.ts";
import { contentHash } from "../../../src/store/log/content-hash.ts";
import type { ForeignEvent } from "../../../src/store/types/store.ts";
import {
  closed,
  commentEdited,
  commented,
  created,
  deleted,
  edited,
  labeled,
  linksChanged,
  metadataSet,
  reopened,
  restored,
  unlabeled,
} from "../../store/drafts.ts";
import type { Chance } from "../../support/fleet/work.ts";

/** An issue as an offline daemon knows it. */
export interface KnownIssue {
  readonly uid: string;
  readonly project_uid: string;
}

/**
 * A daemon that writes events which reach the hub late. Its clock is wrong by a fixed amount, and jumps. It has no
 * database: what it writes depends only on `chance`.
 */
export class OfflineDaemon {
  readonly uid: string;
  readonly #name: string;
  readonly #aheadMs: number;
  /** Events that did not reach the hub yet. */
  readonly outbox: ForeignEvent[] = [];
  #comments: { readonly uid: string; readonly issue: KnownIssue }[] = [];
  #made = 0;
  #ms = 0;
  #counter = 0;

  constructor(number: number, aheadMs: number) {
    this.#name = `off${number}`;
    this.#aheadMs = aheadMs;
    this.uid = `01J0000000000000000000F${String(number).padStart(3, "0")}`;
  }

  /** Writes what one command would write; nothing if the command makes no sense. */
  write(chance: Chance, nowMs: number, projects: readonly string[], known: readonly KnownIssue[]) {
    for (const draft of this.#drafts(chance, nowMs, projects, known))
      this.outbox.push(this.#stamped(draft, nowMs));
  }

  #drafts(
    chance: Chance,
    nowMs: number,
    projects: readonly string[],
    known: readonly KnownIssue[],
  ): readonly EventDraft[] {
    const now = msToInstant(nowMs + this.#aheadMs);
    const project = chance.pick(projects) ?? "";
    const [issue, peer] = [chance.pick(known), chance.pick(known)];
    const kind = chance.below(KINDS);
    const value = chance.below(4);
    if (issue === undefined || peer === undefined || kind === 0)
      return [
        created(project, this.#uid("N"), {
          author: this.#name,
          created_at: now,
          ...(peer === undefined || value > 1
            ? {}
            : { links: [{ type: LINKS[value] ?? "parent", ...linkTo(peer, this.#name) }] }),
        }),
      ];
    const home = issue.project_uid;
    const at = { updated_at: now };
    const other = peer.uid === issue.uid ? [] : [peer.uid];
    switch (kind) {
      case 1:
        return [edited(home, issue.uid, { title: `${this.#name} ${value}`, ...at })];
      case 2:
        return [edited(home, issue.uid, { owner: value === 0 ? null : `o${value}`, ...at })];
      case 3:
        return [labeled(home, issue.uid, `l${value}`)];
      case 4:
        return [unlabeled(home, issue.uid, `l${value}`)];
      case 5: {
        const uid = this.#uid("C");
        this.#comments.push({ uid, issue });
        return [commented(home, issue.uid, uid, `by ${this.#name}`)];
      }
      case 6: {
        const comment = chance.pick(this.#comments);
        if (comment === undefined) return [];
        const { project_uid, uid } = comment.issue;
        return [commentEdited(project_uid, uid, comment.uid, `edited ${value}`)];
      }
      case 7:
        return [closed(home, issue.uid, now)];
      case 8:
        return [reopened(home, issue.uid)];
      case 9:
        return [value === 0 ? deleted(home, issue.uid) : restored(home, issue.uid)];
      case 10:
        return [metadataSet(home, issue.uid, { [`m${value}`]: { to: this.#made } })];
      case 11:
      case 12:
        return other.map((uid) => linksChanged(home, issue.uid, { parent_set_uid: uid, ...at }));
      case 13:
        return [linksChanged(home, issue.uid, { blocks_added_uids: other, ...at })];
      case 14:
        return peer.uid < issue.uid
          ? []
          : [linksChanged(home, issue.uid, { related_added_uids: other, ...at })];
      case 15:
        return other.map((parent) =>
          linksChanged(home, issue.uid, {
            blocks_removed_uids: other,
            ...(value > 1 ? {} : { parent_removed_uid: parent }),
            ...at,
          }),
        );
      case 16:
        return [this.#run(home, `${projects.indexOf(home)}${value}`, now)];
      case 17:
        return [projectMetadataSet(home, `m${value}`, this.#made, now)];
      default:
        return [];
    }
  }

  /** An observation of a run. Each daemon has runs of its own in each project, and observes them again and again. */
  #run(project_uid: string, number: string, now: string): EventDraft<"cron.run.observed"> {
    const uid = `01K00000000000${this.uid.slice(-3)}R000A00${number}`;
    const payload = {
      ...{ uid, project_uid, actor: this.#name, created_at: now, updated_at: now },
      ...{ summary: { made: this.#made }, revision: this.#made + 1 },
      status: this.#made % 2 === 0 ? ("running" as const) : ("failed" as const),
    };
    return { type: "cron.run.observed", actor: this.#name, project_uid, payload };
  }

  #uid(kind: string): string {
    this.#made += 1;
    // The last four digits are the same for every daemon, so that two issues have the same short id.
    return `01K00000000000${this.uid.slice(-3)}${kind}000A${String(this.#made).padStart(4, "0")}`;
  }

  #stamped(draft: EventDraft, nowMs: number): ForeignEvent {
    const physical = nowMs + this.#aheadMs;
    this.#counter = physical > this.#ms ? 0 : this.#counter + 1;
    this.#ms = Math.max(this.#ms, physical);
    const event = {
      ...draft,
      actor: this.#name,
      uid: this.#uid("E"),
      origin_instance_uid: this.uid,
      hlc_physical_ms: this.#ms,
      hlc_counter: this.#counter,
      created_at: msToInstant(physical),
    };
    const payload = canonicalJson(event.payload as unknown as JsonObject);
    return { ...event, content_hash: contentHash(event, payload) } as ForeignEvent;
  }
}

const KINDS = 18;
function projectMetadataSet(
  project_uid: string,
  key: string,
  to: number,
  updated_at: string,
): EventDraft<"project.metadata_updated"> {
  const payload = { diff: { [key]: { to } }, revision_new: 0, updated_at };
  return { type: "project.metadata_updated", actor: "ann", project_uid, payload };
}

const LINKS = ["parent", "blocks"] as const;

function linkTo(peer: KnownIssue, author: string) {
  return { to_issue_uid: peer.uid, to_short_id: "", author };
}
