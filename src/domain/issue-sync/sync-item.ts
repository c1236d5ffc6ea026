import type { Instant } from "../../base/clock.ts";
import type { OutputOf } from "../../contract/shape.ts";
import type { CloseReason } from "../../contract/values.ts";
import type { RemoteParent } from "./remote-issue.ts";

/** An issue of a code host in the terms of svc. It has the fields that the host owns, and no others. */
export interface SyncItem {
  readonly external_id: string;
  /** Further names of the issue in its source. */
  readonly other_external_ids: readonly string[];
  readonly number: number;
  readonly title: string;
  readonly body: string;
  readonly author: string;
  readonly owner?: string;
  readonly status: "open" | "closed";
  readonly closed_at?: Instant;
  readonly closed_reason?: OutputOf<typeof CloseReason>;
  readonly created_at: Instant;
  readonly updated_at: Instant;
  readonly labels: readonly string[];
  readonly comments: readonly SyncComment[];
  readonly parent: RemoteParent;
}

export interface SyncComment {
  readonly external_id: string;
  readonly author: string;
  readonly body: string;
  readonly created_at: Instant;
}

/** Where a repository is on the web. */
export interface RepositoryAddress {
  readonly host: string;
  readonly owner: string;
  readonly repo: string;
}
