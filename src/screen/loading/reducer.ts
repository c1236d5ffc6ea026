import { withoutIssues } from "../issues/issues.ts";
import { neighboursOf } from "../issues/neighbours.ts";
import { keepingCursors } from "../lines.ts";
import type { MessageOf } from "../message.ts";
import type { Reducer } from "../reducer.ts";
import { isInScope } from "../scope/choose-project.ts";
import { type State, withSlice } from "../state.ts";
import { type Step, step } from "../step.ts";
import { missingIn, withTruth } from "../writes/optimism.ts";
import { isLate, reload } from "./reload.ts";
import type { LoadingState } from "./state.ts";

export const loadingReducer: Reducer<"issues" | "reload"> = { issues: onIssues, reload: onReload };

function onIssues(state: State, message: MessageOf<"issues">): Step {
  const { part, issues, gone } = message;
  if (isLate(state, message)) return step(state);
  const withRead = (now: State): State => {
    const inScope = issues.filter((issue) => isInScope(now, issue));
    // An issue that moved to a project that is not shown is removed here.
    const elsewhere = uidsOf(issues.filter((issue) => !isInScope(now, issue)));
    const missing = part === "all" ? missingIn(now, message) : [];
    const isReplaced = now.loading.replaces && part !== "changed";
    const base = isReplaced ? withoutVersions(now, uidsOf(inScope)) : now;
    const next = withTruth(base, inScope, [...gone, ...elsewhere, ...missing]);
    return withSlice(next, "loading", loadingOf(now, message));
  };
  const isPage = part !== "changed";
  const next = keepingCursors(state, withRead, isPage);
  if (isPage) return step(next);
  const answered = [...uidsOf(issues), ...gone];
  const uids = neighboursOf(state.issues, next.issues, answered);
  return uids.length === 0 ? step(next) : step(next, { effect: "refresh", uids });
}

function onReload(state: State, { isOlder }: MessageOf<"reload">): Step {
  if (isOlder !== true) return reload(state);
  const forgotten = withSlice(state, "detail", { known: new Map() });
  return reload(withSlice(forgotten, "loading", { replaces: true }));
}

/** Removes the known versions of these issues from the state, so that older versions can replace them. */
function withoutVersions(state: State, uids: readonly string[]): State {
  const truth = new Map(state.writes.truth);
  for (const uid of uids) truth.delete(uid);
  const issues = withoutIssues(state.issues, uids);
  return { ...state, issues, writes: { ...state.writes, truth } };
}

function loadingOf(
  { loading: { pages } }: State,
  { part, issues, truncated }: MessageOf<"issues">,
): Partial<LoadingState> {
  if (part === "changed") return {};
  if (part === "all") return { pages: [], stage: "done", truncated, replaces: false };
  const uids = uidsOf(issues);
  return { pages: part === "first" ? uids : [...pages, ...uids], stage: "rest" };
}

function uidsOf(issues: readonly { readonly uid: string }[]): readonly string[] {
  return issues.map(({ uid }) => uid);
}
