import type { MessageOf } from "../message.ts";
import { type State, withSlice } from "../state.ts";
import { type Step, step } from "../step.ts";
import type { DefinitionPage, VersionAsked } from "./state.ts";

function requestedPage({ cron }: State): Omit<DefinitionPage, "versions" | "scroll"> | undefined {
  const { tab, cursor } = cron;
  if (tab === "runs") {
    const run = cron.runs?.[cursor];
    if (run === undefined) return undefined;
    const { job_uid, definition_event_uid, workflow_uid, workflow_definition_event_uid } = run;
    const versions = [
      ...versionOf("job", job_uid, definition_event_uid),
      ...versionOf("workflow", workflow_uid, workflow_definition_event_uid),
    ];
    return { of: run.uid, title: `what the run ${run.uid} ran by`, asked: versions };
  }
  if (tab === "workflows") {
    const flow = cron.workflows?.[cursor];
    if (flow === undefined) return undefined;
    return { of: flow.uid, title: flow.name, asked: versionOf("workflow", flow.uid) };
  }
  const job = tab === "jobs" ? cron.jobs?.[cursor] : cron.job;
  if (job === undefined) return undefined;
  return { of: job.uid, title: job.name, asked: versionOf("job", job.uid) };
}

function versionOf(
  kind: VersionAsked["kind"],
  uid: string | undefined,
  event?: string,
): readonly VersionAsked[] {
  return uid === undefined ? [] : [{ kind, uid, event }];
}

export function whyNoVersion(state: State): string | undefined {
  return (requestedPage(state)?.asked.length ?? 0) > 0
    ? undefined
    : "there is no definition on this line";
}

export function openVersions(state: State): Step {
  const about = requestedPage(state);
  const { project } = state.scope;
  if (about === undefined || project === undefined) return step(state);
  const page: DefinitionPage = { ...about, versions: undefined, scroll: 0 };
  const next = withSlice(state, "cron", { page });
  const { of } = page;
  return step(next, { effect: "load-versions", project_id: project.id, of, asked: page.asked });
}

/** Stores the definitions that were read. An answer for a page that was left is dropped. */
export function withVersions(state: State, { of, versions }: MessageOf<"versions">): State {
  const { page } = state.cron;
  if (page?.of !== of) return state;
  return withSlice(state, "cron", { page: { ...page, versions } });
}

/** The first visible line of the page of definitions; `undefined` if that page is not shown. */
export function pageTop(state: State): number | undefined {
  const { page } = state.cron;
  if (page === undefined || state.screen !== "cron" || state.detail.open.length > 0)
    return undefined;
  const { lines, height } = state.fit.versions(state);
  return Math.max(0, Math.min(page.scroll, lines - height));
}

export function scrollPage(state: State, by: number): State {
  const top = pageTop(state);
  const { page } = state.cron;
  if (top === undefined || page === undefined) return state;
  const { lines, height } = state.fit.versions(state);
  const scroll = Math.max(0, Math.min(top + by, lines - height));
  return withSlice(state, "cron", { page: { ...page, scroll } });
}
