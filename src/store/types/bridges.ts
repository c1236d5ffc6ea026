import type { Instant } from "../../base/clock.ts";
import type { Payload } from "../../contract/events.ts";
import type { Row } from "../../domain/tables/tables.ts";
import type { WithId } from "./rows.ts";

/** What every daemon knows of a bound issue, folded from events. */
export type ExternalRoot = Row<"external_root">;
export type BridgeRow = Row<"external_root_binding">;
/** A bridge with its local id, which staggers the times of the attempts. */
export type StoredBridge = WithId<BridgeRow>;
export type ExternalCommentRow = Row<"external_comment">;
export type FieldMapping = Row<"external_field_mapping">;
export type FieldState = Row<"external_field_state">;
export type SvcField = FieldMapping["svc_field"];

/** The run that works on a bridge: `claim_token` is the one that it stored when it began. */
export interface BridgeClaim {
  readonly binding_uid: string;
  readonly claim_token: string;
}

/** What the engine of bridges knows of one. */
export type DueBridge = Pick<StoredBridge, "id" | "uid" | "issue_uid" | "connector_instance">;

/**
 * When a bridge counts as due: it is active and enabled, `next_attempt_at` is absent, at most `asOf` or after `latest`
 * (it was set before the clock was set back), its claim does not lie from `freshFrom` to `freshTo`, its issue and project are live, and the project is no copy that only reads.
 */
export interface DueTimes {
  readonly asOf: Instant;
  readonly latest: Instant;
  readonly freshFrom: Instant;
  readonly freshTo: Instant;
}

export interface BridgeCounts {
  readonly enabled: number;
  readonly failing: number;
}

/** A comment of an issue here, without its text. */
export interface CommentOfIssue {
  readonly id: number;
  readonly uid: string;
  readonly created_at: Instant;
  /** 0 if the bridge has no row of it: it is neither imported, published nor skipped. */
  readonly known: 0 | 1;
}

/** What a bridge knows of an external comment, and the text of the imported comment here. */
export interface KnownExternalComment {
  readonly row: ExternalCommentRow;
  readonly local: string | undefined;
}

/** The state of a mapped field, with the mapping. */
export interface MappedFieldState extends FieldState {
  readonly svc_field: SvcField;
}

/** The root that owns the title and body of an issue. `enabled` is 0 while its bridge is paused. */
export type OwningRoot = Pick<ExternalRoot, "connector_instance" | "enabled">;

/**
 * Reads bridges (docs/contract/connectors.md#4-what-is-stored). Their rows are written by `tx.unfolded.put`, except
 * `external_root`, which is folded from the events of the bridge.
 */
export interface Bridges {
  /** Whether a root owns the issue, here or, for a copy, on another daemon. */
  root(issueUid: string): Promise<ExternalRoot | undefined>;
  /**
   * The roots that own title and body of these issues here, by the uid of the issue: by a bridge of this daemon or, in a
   * copy, by one of another daemon.
   */
  owners(issueUids: readonly string[]): Promise<ReadonlyMap<string, OwningRoot>>;
  /** The bridge of the issue, if it is active. It may be paused. */
  active(issueUid: string): Promise<StoredBridge | undefined>;
  /** The bridge with this uid, ended ones too. */
  byUid(uid: string): Promise<StoredBridge | undefined>;
  /** The active bridge of a root. */
  ofRoot(instance: string, rootKey: string): Promise<StoredBridge | undefined>;
  /** All bridges that the issue has or had, the newest first; at most 100. */
  ofIssue(issueUid: string): Promise<readonly StoredBridge[]>;
  /** Another issue to which this root is or was ever bound. */
  otherIssueOf(instance: string, rootKey: string, issueUid: string): Promise<string | undefined>;
  /** Whether the instance has or had a bridge of another account than the one with this digest. */
  hasOtherAccount(instance: string, accountDigest: string): Promise<boolean>;
  /** Whether an issue of the project, a deleted one included, has an active bridge of this daemon. */
  activeIn(projectUid: string): Promise<boolean>;
  /** The active bridges of issues of the project, sorted by id. */
  allActiveIn(projectUid: string): Promise<readonly StoredBridge[]>;
  /** Whether the log of the project has an event of a bridge. */
  wereIn(projectUid: string): Promise<boolean>;
  /** The bridges that are due, sorted by `next_attempt_at` (those without one first), then id. */
  due(
    wanted: DueTimes & {
      /** Bridges of these connectors are left out. */
      readonly without: readonly string[];
      readonly limit: number;
    },
  ): Promise<readonly DueBridge[]>;
  /** The bridges of these issues that are due. */
  dueOfIssues(issueUids: readonly string[], times: DueTimes): Promise<readonly DueBridge[]>;
  /** The bridges of these issues that are active and enabled. */
  enabledOf(issueUids: readonly string[]): Promise<readonly DueBridge[]>;
  /** Counts the bridges that are active and enabled, and those of them whose last run failed. */
  counts(): Promise<BridgeCounts>;
  /** What the bridge knows of these external comments, by their id at the provider. */
  externalComments(
    bindingUid: string,
    ids: readonly string[],
  ): Promise<ReadonlyMap<string, ExternalCommentRow>>;
  /** What the bridge knows of this comment of the issue. */
  localComment(bindingUid: string, commentUid: string): Promise<ExternalCommentRow | undefined>;
  /** All that the bridge knows of comments, in the order of side and id. */
  comments(bindingUid: string): Promise<readonly ExternalCommentRow[]>;
  /** What the event says that added the comment to the issue; `undefined` if the comment came with a snapshot. */
  addingComment(
    issueUid: string,
    commentUid: string,
  ): Promise<Payload<"issue.commented"> | undefined>;
  /** Like `externalComments`, with the texts of the comments here that were imported from them. */
  knownComments(
    bindingUid: string,
    ids: readonly string[],
  ): Promise<ReadonlyMap<string, KnownExternalComment>>;
  /** The comments of the bridge's issue with a local id greater than `after`, sorted by it. */
  commentsAfter(
    bridge: Pick<BridgeRow, "uid" | "issue_uid">,
    after: number,
    limit: number,
  ): Promise<readonly CommentOfIssue[]>;
  /** The active mappings of an instance, sorted by field. */
  mappings(instance: string): Promise<readonly FieldMapping[]>;
  mapping(instance: string, field: SvcField): Promise<FieldMapping | undefined>;
  /** The states of the fields of the bridge whose mapping is active, sorted by field. */
  fieldStates(bindingUid: string): Promise<readonly MappedFieldState[]>;
  fieldState(bindingUid: string, mappingUid: string): Promise<FieldState | undefined>;
  /** Whether a run works on a bridge of the connector. Stale claims do not count (`isClaimed`). */
  hasClaim(instance: string, now: Instant): Promise<boolean>;
  /** An issue with a root that the project imported from one of these sources, so that issue sync cannot read it too. */
  bridgedImport(projectUid: string, sources: readonly string[]): Promise<string | undefined>;
}
