import type { Transport } from "../../../shared/transport.ts";
import type { Detail, DetailPart, IssueEvent, RunSums } from "../../detail/state.ts";
import type { EffectOf } from "../../effect.ts";
import { type Issue, issueOf } from "../../issues/issues.ts";
import { textOf } from "../failures.ts";

type ShowAnswer = NonNullable<Detail["show"]>;

const EVENTS_PER_PAGE = 1000;
const MAX_EVENTS = 2000;
const MAX_PEERS = 200;

/** Reads an issue part by part. A part that fails has its own error and does not stop the others. */
export async function* readDetail(
  daemon: Transport,
  { uid }: EffectOf<"load-detail">,
): AsyncGenerator<DetailPart, void, void> {
  const query = { include_deleted: true };
  const show = await daemon.call("showIssueByUID", { params: { uid }, query });
  yield { show, error: undefined };
  try {
    yield { events: await readEvents(daemon, show), eventsError: undefined };
  } catch (error) {
    yield { eventsError: textOf(error) };
  }
  try {
    yield { peers: await readPeers(daemon, show), peersError: undefined };
  } catch (error) {
    yield { peersError: textOf(error) };
  }
  yield { runs: await readRuns(daemon, show) };
}

/**
 * The sums of the issue's runs. Returns `undefined` if the issue has no runs or the request fails, for example because
 * the daemon is too old or has no cron.
 */
async function readRuns(daemon: Transport, { issue }: ShowAnswer): Promise<RunSums | undefined> {
  const { project_id, uid: issue_uid } = issue;
  const query = { by: "issue", issue_uid, limit: 1 } as const;
  try {
    const { groups } = await daemon.call("reportCronRuns", { params: { project_id }, query });
    // A daemon that does not support `issue_uid` answers with the sums of another issue.
    return groups.find(({ key }) => key === issue_uid);
  } catch {
    return undefined;
  }
}

/** Reads all pages of the issue's events, the oldest first. Only the newest `MAX_EVENTS` events are kept. */
async function readEvents(
  daemon: Transport,
  { issue }: ShowAnswer,
): Promise<readonly IssueEvent[]> {
  const params = { project_id: issue.project_id, ref: issue.uid };
  let all: readonly IssueEvent[] = [];
  for (let after_id: number | undefined; ; ) {
    const query = { limit: EVENTS_PER_PAGE, include_deleted: true, after_id };
    const { events, next_after_id } = await daemon.call("listIssueEvents", { params, query });
    all = [...all, ...events].slice(-MAX_EVENTS);
    if (events.length < EVENTS_PER_PAGE) return all;
    after_id = next_after_id;
  }
}

/** Links contain only ids, so the linked issues are read too. */
async function readPeers(
  daemon: Transport,
  { issue, links }: ShowAnswer,
): Promise<readonly Issue[]> {
  const ends = new Set(links.flatMap(({ from, to }) => [from.uid, to.uid]));
  ends.delete(issue.uid);
  if (ends.size === 0) return [];
  const query = { issue_uid: [...ends].slice(0, MAX_PEERS) };
  const { issues } = await daemon.call("listAllIssues", { query });
  return issues.map(issueOf);
}
