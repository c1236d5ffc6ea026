import { API_SCHEMA_VERSION } from "../src/contract/version.ts";
import {
  type ConnectionStatus,
  connectionStatus,
  isStale,
} from "../src/screen/connection/connection-status.ts";
import { detailUid } from "../src/screen/detail/detail.ts";
import type { Notice } from "../src/screen/messages/state.ts";
import type { State } from "../src/screen/state.ts";
import type { SentWrite } from "../src/screen/writes/done.ts";
import { failureOf } from "../src/screen/writes/failed.ts";

/** The separator between the parts of a message. */
export const GAP = "   ";

/**
 * The message to show. A message about a refused change of the issue in view is shown with the issue instead, unless it
 * tells the result of several changes.
 */
export function noticeOf(state: State): Notice | undefined {
  const { notice } = state.messages;
  const failure = failureOf(state, detailUid(state));
  const isInView = failure !== undefined && failure.id === notice?.failed;
  return isInView && isAlone(state, failure) ? undefined : notice;
}

function isAlone({ writes: { sent } }: State, { batch }: SentWrite): boolean {
  return sent.filter((one) => one.batch.id === batch.id).length === 1;
}

interface BannerText {
  readonly text: string;
  readonly tone: "" | "warn" | "error";
  readonly act?: "try" | "load";
}

const STALE_TEXTS: Readonly<Partial<Record<ConnectionStatus, string>>> & {
  readonly behind: string;
} = {
  reconnecting:
    "The daemon does not answer. What you see is as of the last change; what you type is kept.",
  silent: "Nothing has come from the daemon for a while: what you see may be out of date.",
  behind: "Some changes could not be read yet: what you see may be out of date.",
};

export function bannerOf(state: State): BannerText | undefined {
  const { live, readOnly, api } = state.connection;
  if (live === "refused") {
    const why = readOnly === undefined ? "." : `: ${readOnly}.`;
    const text = `The daemon does not accept this page any more${why}`;
    return { text, tone: "error", act: "try" };
  }
  if (isStale(state)) {
    return {
      text: STALE_TEXTS[connectionStatus(state)] ?? STALE_TEXTS.behind,
      tone: "warn",
      act: "try",
    };
  }
  if (api !== undefined && api !== API_SCHEMA_VERSION) {
    const text = "svc was updated since this page was loaded. What you type is kept.";
    return { text, tone: "warn", act: "load" };
  }
  if (readOnly === undefined) return undefined;
  return { text: `You can read here and change nothing: ${readOnly}`, tone: "" };
}
