import type { JsonObject } from "../../base/json.ts";
import type { LinkType } from "../../domain/state.ts";

/** One issue for route importIssues (facts http-api 3.13). */
export interface ImportItem {
  readonly external_id: string;
  readonly title: string;
  readonly author: string;
  readonly status: "open" | "closed";
  readonly created_at: string;
  readonly updated_at: string;
  readonly body: string;
  readonly owner?: string;
  readonly priority?: number;
  readonly closed_at?: string;
  readonly closed_reason?: string;
  readonly labels: readonly string[];
  readonly metadata: JsonObject;
  readonly comments: readonly ImportComment[];
  readonly links: readonly ImportLink[];
}

export interface ImportComment {
  readonly external_id: string;
  readonly author: string;
  readonly body: string;
  readonly created_at: string;
}

export interface ImportLink {
  readonly type: LinkType;
  readonly target_external_id: string;
  readonly author?: string;
  readonly created_at?: string;
}
