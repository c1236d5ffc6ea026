import type { listInboxGlobal } from "../../contract/inbox.ts";
import type { Output } from "../../contract/route.ts";

type InboxRequest = Output<typeof listInboxGlobal>["requests"][number];
type RequestField =
  | "issue_uid"
  | "project_id"
  | "title"
  | "from"
  | "message"
  | "teammate"
  | "event_uid"
  | "requested_at";

/** A request, or what stands where one should. */
export type InboxItem = { readonly [K in RequestField]?: InboxRequest[K] | undefined } & {
  readonly to: string;
  /** `project#short_id` */
  readonly ref: string;
  /** Why it cannot be read; then nothing else of it is known. */
  readonly fault?: string;
};

/** Requests to exact addresses; reading clears none. */
export interface InboxState {
  /** The address that the inbox shows at first. */
  readonly own: string;
  readonly address: string;
  /** To every name of this person, not to the one address alone. */
  readonly all: boolean;
  readonly requests: readonly InboxItem[] | undefined;
  readonly cursor: number;
  readonly error: string | undefined;
}

export function initialInbox(own: string): InboxState {
  return { own, address: own, all: false, requests: undefined, cursor: 0, error: undefined };
}
