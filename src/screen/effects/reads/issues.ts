import { FIRST_ISSUES } from "../../../shared/first-issues.ts";
import type { Transport } from "../../../shared/transport.ts";
import { type Issue, issueOf, type WireIssue } from "../../board/issues.ts";
import type { MessageOf } from "../../message.ts";
import { statusOf } from "../failures.ts";
import type { Pause } from "../pause.ts";

export interface Pages {
  readonly daemon: Transport;
  readonly pause: Pick<Pause, "sleep">;
  /** Aborted when nobody waits for them any more. */
  readonly signal: AbortSignal;
  readonly project_id: number | undefined;
  /** Told once why a page does not come; it is asked for until it does. */
  failed(error: unknown): void;
}

type IssuesRead = Omit<MessageOf<"issues">, "serial">;

/** A key waits for so many to be taken in no longer than for a picture. */
const PAGE = 500;
const MAX_ISSUES = 20_000;
const RETRY_MS = { first: 1000, most: 30_000 };

/**
 * The issues of one project or of all, page by page: enough for the first picture, then the rest behind it. The next page
 * is on its way while one is taken in.
 */
export async function* readIssues(options: Pages): AsyncGenerator<IssuesRead, void, void> {
  const { project_id } = options;
  const first = await again(options, { project_id, after: "", limit: FIRST_ISSUES });
  const since = first.as_of?.at;
  const all = { type: "issues", part: "all", since, gone: [], truncated: false } as const;
  if (since === undefined && first.issues.length === FIRST_ISSUES) {
    // This daemon knows no pages.
    yield { ...all, part: "first", issues: issuesIn(first) };
    const { issues } = await again(options, { project_id, limit: MAX_ISSUES + 1 });
    const truncated = issues.length > MAX_ISSUES;
    return yield { ...all, issues: issuesIn({ issues: issues.slice(0, MAX_ISSUES) }), truncated };
  }
  let page = first;
  let room = MAX_ISSUES - first.issues.length;
  while (page.next_after !== undefined && room > 0) {
    const next = again(options, {
      project_id,
      after: page.next_after,
      limit: Math.min(PAGE, room),
    });
    // While this one is taken in, nobody hears that the next one failed.
    next.catch(() => undefined);
    yield { ...all, part: page === first ? "first" : "more", issues: issuesIn(page) };
    page = await next;
    room -= page.issues.length;
  }
  yield { ...all, issues: issuesIn(page), truncated: page.next_after !== undefined };
}

/** Until it comes, or the daemon refuses it: what was read so far is not all there is. */
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

/** Issues of one project or of all, `limit` of them behind a place; without one it is a list as ever, and no page. */
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

/** The daemon answers by the contract, of which a row needs a part. */
function issuesIn({ issues }: Pick<IssuePage, "issues">): readonly Issue[] {
  return (issues as readonly WireIssue[]).map(issueOf);
}
