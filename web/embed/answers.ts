/**
 * What the detail of an issue reads of the answers of the API (docs/contract/http-api.md#30-shared-objects). Answers may
 * have further fields. The types name no other module, so that a program that uses them needs nothing else.
 */

/** An instant in UTC: `2026-11-20T09:00:00.000Z`. */
type Instant = string;

export interface PeerFields {
  readonly uid: string;
  /** `project#abc4` */
  readonly qualified_id: string;
}

export interface IssueFields extends PeerFields {
  readonly title: string;
  /** Markdown. */
  readonly body: string;
  readonly status: "open" | "closed";
  readonly author: string;
  readonly owner?: string | undefined;
  readonly priority?: number | undefined;
  readonly labels: readonly string[];
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly created_at: Instant;
  readonly updated_at: Instant;
  readonly closed_at?: Instant | null | undefined;
  readonly closed_reason?: string | undefined;
  readonly deleted_at?: Instant | null | undefined;
  /** The issue on a code host from which this issue is read. */
  readonly synced?:
    | { readonly provider: string; readonly number: number; readonly url: string }
    | undefined;
  /** The connector whose record owns title and body. */
  readonly external_root?:
    | { readonly connector_instance: string; readonly enabled: boolean }
    | undefined;
}

export interface CloseFields {
  readonly actor: string;
  readonly message?: string | undefined;
  readonly evidence?: readonly { readonly type: string }[] | undefined;
}

export interface LeaseFields {
  readonly holder: string;
  readonly expires_at?: Instant | undefined;
}

export interface LinkFields {
  readonly type: string;
  readonly from: PeerFields;
  readonly to: PeerFields;
}

export interface ChildFields extends PeerFields {
  readonly title: string;
  readonly status: "open" | "closed";
  readonly blocked: boolean;
  readonly priority?: number | undefined;
  readonly owner?: string | undefined;
}

export interface CommentFields {
  readonly uid: string;
  readonly author: string;
  /** Markdown. */
  readonly body: string;
  readonly created_at: Instant;
}

export interface EventFields {
  readonly event_uid: string;
  readonly type: string;
  readonly actor: string;
  readonly payload: Readonly<Record<string, unknown>>;
  readonly created_at: Instant;
  readonly overwritten_by?: { readonly actor: string; readonly at: Instant } | undefined;
  readonly skipped_at?: Instant | undefined;
}

/** The answer to `GET /api/v1/issues/{uid}` and `GET /api/v1/projects/{project_id}/issues/{ref}`. */
export interface ShowAnswer {
  readonly issue: IssueFields;
  readonly close?: CloseFields | undefined;
  readonly comments: readonly CommentFields[];
  /** The number of all comments, if the answer does not have all of them. */
  readonly comment_count?: number | undefined;
  readonly links: readonly LinkFields[];
  readonly parent?: (PeerFields & { readonly title: string }) | undefined;
  readonly children: readonly ChildFields[];
  readonly lease?: LeaseFields | undefined;
}

/** Comments of the issue, the oldest first: one answer of show with `comments_limit`, or several joined. */
export interface CommentsAnswer {
  readonly comments: readonly CommentFields[];
}

/** The answer to `GET /api/v1/projects/{project_id}/issues/{ref}/events`, or the events of several pages joined. */
export interface EventsAnswer {
  /** The oldest first. */
  readonly events: readonly EventFields[];
}

export interface PeerIssueFields extends PeerFields {
  readonly title: string;
  readonly status: "open" | "closed";
  readonly blocked: boolean;
}

/** The answer to `GET /api/v1/issues?issue_uid=…` with the uids of the linked issues. */
export interface PeersAnswer {
  readonly issues: readonly PeerIssueFields[];
}

/** The answer to `GET /api/v1/health` or `GET /api/v1/ping`. */
export interface HealthAnswer {
  readonly api_schema_version?: string | undefined;
}
