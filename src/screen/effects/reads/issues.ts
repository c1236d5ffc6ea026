import { FIRST_ISSUES } from "../../../shared/first-issues.ts";
import type { Transport } from "../../../shared/transport.ts";
import { issueOf } from "../../issues/issues.ts";
import type { MessageOf } from "../../message.ts";
import { statusOf } from "../failures.ts";
import type { InterruptibleSleep } from "../interruptible-sleep.ts";

export interface Pages {
  readonly daemon: Transport;
  readonly pause: Pick<InterruptibleSleep, "sleep">;
  /** Aborted when nobody waits for the pages any more. */
  readonly signal: AbortSignal;
  readonly project_id: number | undefined;
  /** Called once with the error when a page cannot be read; the read is retried. */
  failed(error: unknown): void;
}

type IssuesRead = Omit<MessageOf<"issues">, "serial">;

/** Issues per page, few enough that adding a page to the state does not delay the response to a key. */
const PAGE = 500;
const MAX_ISSUES = 20_000;
const RETRY_MS = { first: 1000, most: 30_000 };

/**
 * Reads the issues in pages. The first page is small, so that the first rows are drawn soon. The next page is requested
 * while the current one is added to the state.
 */
export async function* readIssues(options: Pages): AsyncGenerator<IssuesRead, void, void> {
  const { project_id } = options;
  const first = await again(options, { project_id, after: "", limit: FIRST_ISSUES });
  const since = first.as_of?.at;
  const all = { type: "issues", part: "all", since, gone: [], truncated: false } as const;
  if (since === undefined && first.issues.length === FIRST_ISSUES) {
    // An old daemon has no pages, so everything is read with one request.
    yield { ...all, part: "first", issues: first.issues.map(issueOf) };
    const { issues } = await again(options, { project_id, limit: MAX_ISSUES + 1 });
    const truncated = issues.length > MAX_ISSUES;
    return yield { ...all, issues: issues.slice(0, MAX_ISSUES).map(issueOf), truncated };
  }
  let page = first;
  let room = MAX_ISSUES - first.issues.length;
  while (page.next_after !== undefined && room > 0) {
    const next = again(options, {
      project_id,
      after: page.next_after,
      limit: Math.min(PAGE, room),
    });
    // Prevents an unhandled rejection; the failure is handled when the page is awaited.
    next.catch(() => undefined);
    yield { ...all, part: page === first ? "first" : "more", issues: page.issues.map(issueOf) };
    page = await next;
    room -= page.issues.length;
  }
  yield { ...all, issues: page.issues.map(issueOf), truncated: page.next_after !== undefined };
}

/** Retries until the page comes or the daemon refuses it. */
async function again(options: Pages, page: PageOf): Promise<IssuePage> {
  const { daemon, pause, signal, failed } = options;
  for (let waitMs = RETRY_MS.first; ; waitMs = Math.min(2 * waitMs, RETRY_MS.most)) {
    try {
      return await issuePage(daemon, page);
    } catch (error) {
      if (signal.aborted || statusOf(error) !== 0) throw error;
      if (waitMs === RETRY_MS.first) failed(error);
      await pause.sleep(waitMs, signal);
      signal.throwIfAborted();
    }
  }
}

/**
 * A request for `limit` issues after the cursor `after`, which is empty for the first page. An old daemon has no pages,
 * so a request to it for all issues has no `after`.
 */
interface PageOf {
  readonly project_id: number | undefined;
  readonly after?: string;
  readonly limit: number;
}

type IssuePage = Awaited<ReturnType<typeof issuePage>>;

async function issuePage(daemon: Transport, { project_id, ...query }: PageOf) {
  return project_id === undefined
    ? await daemon.call("listAllIssues", { query })
    : await daemon.call("listIssues", { params: { project_id }, query });
}
