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

/** A request, or an entry in place of a request that cannot be read. */
export type InboxItem = { readonly [K in RequestField]?: InboxRequest[K] | undefined } & {
  readonly to: string;
  /** The issue of the request, as `project#short_id`. */
  readonly ref: string;
  /** Why the request cannot be read; its other fields are then unknown. */
  readonly fault?: string;
};

/** The inbox screen: requests to a named address (`name` or `name/adapter`). Showing a request does not clear it. */
export interface InboxState {
  /** The address that the inbox shows at first. */
  readonly own: string;
  readonly address: string;
  /** Whether the requests to all addresses of the person are shown. */
  readonly all: boolean;
  readonly requests: readonly InboxItem[] | undefined;
  readonly cursor: number;
  readonly error: string | undefined;
}

declare module "../state.ts" {
  interface ScreenStates {
    readonly inbox: InboxState;
  }
}

export function initialInbox(own: string): InboxState {
  return { own, address: own, all: false, requests: undefined, cursor: 0, error: undefined };
}

declare module "../message.ts" {
  interface ScreenMessages {
    readonly inbox: {
      readonly inbox: {
        readonly address: string;
        readonly all: boolean;
        readonly inbox: Partial<InboxState>;
      };
    };
  }
}

declare module "../effect.ts" {
  interface ScreenEffects {
    readonly "load-inbox": {
      /** The addresses whose requests are read, the current address first. */
      readonly addresses: readonly string[];
      readonly all: boolean;
      readonly wait: number;
    };
  }
}
