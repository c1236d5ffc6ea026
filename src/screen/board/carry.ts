import { chosenIssues } from "../chosen.ts";
import { closeIssues } from "../forms/close.ts";
import { promptDialog } from "../forms/dialog.ts";
import { aboutAll } from "../forms/forms.ts";
import type { Issue } from "../issues/issues.ts";
import type { TargetOf } from "../message.ts";
import { hint } from "../messages/messages.ts";
import { whyCopy } from "../scope/copies.ts";
import { whyNoWrites } from "../session/replay.ts";
import type { State } from "../state.ts";
import { type Step, step } from "../step.ts";
import { GONE, sendOrAsk } from "../writes/sending.ts";
import { atOf, type Write } from "../writes/writes.ts";
import { moveToCard } from "./lane-places.ts";
import { CLOSED_LANE, isLanes, lanesOf, laneTitle } from "./lanes.ts";

export type CarryCheck = { readonly does: string } | { readonly why: string };

const WHY_NO_STATE = "blocked, ready or waiting: links, dates and children decide that";

/**
 * Returns what a move of the issues to the lane would do, or why they cannot be moved there.
 *
 * - With lanes by owner, the lane of an owner assigns the issues to this owner, and the lane without a name clears the
 *   owner.
 * - With lanes by state, the lane of closed issues closes the issues, and any other lane reopens the closed ones.
 * - With lanes by state, an open issue can move only to the lane of closed issues, because links, dates and children
 *   decide its state.
 */
export function checkCarry(state: State, issues: readonly Issue[], lane: string): CarryCheck {
  const projects = issues.map(({ project_id }) => project_id);
  const why = whyNoWrites(state) ?? whyCopy(state, projects);
  if (why !== undefined) return { why };
  if (issues.length === 0) return { why: GONE };
  if (!isLanes(state) || lanesOf(state).lanes.every(({ name }) => name !== lane))
    return { why: "that lane is not here any more" };
  if (state.board.view === "owners") {
    if (issues.every(({ owner = "" }) => owner === lane))
      return { why: `${lane === "" ? "nobody" : lane} owns it already` };
    return { does: lane === "" ? "clear the owner" : `give to ${lane}` };
  }
  const [wanted, does, none] =
    lane === CLOSED_LANE
      ? ["open", "close", "it is closed already"]
      : ["closed", "open again", WHY_NO_STATE];
  return issues.some(({ status }) => status === wanted) ? { does } : { why: none };
}

export function carryTo(state: State, issues: readonly Issue[], lane: string): Step {
  const carrying = checkCarry(state, issues, lane);
  if ("why" in carrying) return hint(state, carrying.why);
  if (state.board.view === "owners") return assignAll(state, issues, lane);
  if (lane === CLOSED_LANE) return closeIssues(state, issues);
  const writes = issues
    .filter(({ status }) => status === "closed")
    .map((issue): Write => ({ act: "reopen", at: atOf(issue) }));
  return sendOrAsk(state, writes, `reopen ${writes.length} issues?`);
}

function assignAll(state: State, issues: readonly Issue[], owner: string): Step {
  const writes = issues
    .filter((issue) => (issue.owner ?? "") !== owner)
    .map((issue): Write => {
      const at = atOf(issue);
      return owner === "" ? { act: "unassign", at } : { act: "assign", at, owner };
    });
  const whose = owner === "" ? "nobody" : owner;
  return sendOrAsk(state, writes, `give ${writes.length} issues to ${whose}?`);
}

export function issuesDraggedWith(state: State, uid: string): readonly Issue[] {
  if (state.marks.has(uid)) return chosenIssues(state);
  const issue = state.issues.get(uid);
  return issue === undefined ? [] : [issue];
}

export function onDropped(state: State, { uid, lane }: TargetOf<"lane">): Step {
  const row = lanesOf(state).rowOf.get(uid);
  if (!isLanes(state) || row === undefined) return hint(state, GONE);
  return carryTo(moveToCard(state, row), issuesDraggedWith(state, uid), lane);
}

function choicesOf(state: State, issues: readonly Issue[]): readonly string[] {
  return lanesOf(state).lanes.flatMap((lane) => {
    const carrying = checkCarry(state, issues, lane.name);
    return "why" in carrying ? [] : [`${laneTitle(state, lane)}  ${carrying.does}`];
  });
}

export function whyNoLane(state: State): string | undefined {
  return choicesOf(state, chosenIssues(state)).length === 0 ? "no other lane takes it" : undefined;
}

/**
 * Opens a dialog to choose the lane of the issues. A touch screen has no other way to move a card to a lane, and the
 * keys `<` and `>` reach only the lane of the previous or next owner.
 */
export function askLane(state: State): Step {
  const issues = chosenIssues(state);
  const choices = choicesOf(state, issues);
  const uids = issues.map(({ uid }) => uid);
  const dialog = promptDialog("lane", `carry ${aboutAll(issues)} to`, { uids, choices });
  return step({ ...state, dialog: { ...dialog, choose: 0 } });
}

export function carryToNamed(state: State, uids: readonly string[], title: string): Step {
  const lane = lanesOf(state).lanes.find((one) => laneTitle(state, one) === title);
  if (lane === undefined) return hint(state, `no lane is called ${title}`);
  const issues = uids.flatMap((uid) => state.issues.get(uid) ?? []);
  return carryTo(state, issues, lane.name);
}
