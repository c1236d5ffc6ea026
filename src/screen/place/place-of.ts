import { issueBeside } from "../detail/detail.ts";
import { paneOf } from "../detail/panes.ts";
import { screenOf } from "../screen.ts";
import type { State } from "../state.ts";
import { homeOf } from "./home.ts";
import type { Place } from "./place.ts";

export function placeOf(state: State): Place {
  const { screen, screens, scope } = state;
  const project = scope.missing?.name ?? scope.project?.name;
  const own = screens.map(({ address }) => address?.of(state) ?? {});
  return Object.assign({ ...homeOf(screens), screen, project, ...issueIn(state) }, ...own);
}

function issueIn(state: State): Pick<Place, "issue" | "isOpen"> {
  const { open, arriving } = state.detail;
  if (arriving !== undefined) return arriving;
  const over = open.at(-1);
  if (over !== undefined) return { issue: over, isOpen: true };
  const issue = issueBeside(state);
  const isFirst = issue === screenOf(state).address?.firstIssue?.(state);
  if (issue === undefined || isFirst) return { issue: undefined, isOpen: false };
  return { issue, isOpen: paneOf(state) === "detail" };
}
