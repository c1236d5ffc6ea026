import { openIssue } from "../detail/detail.ts";
import { isByPerson } from "../input/by-person.ts";
import { cursorTo, isListRead } from "../lines.ts";
import type { Message } from "../message.ts";
import { type State, withSlice } from "../state.ts";
import { type Step, step } from "../step.ts";
import type { Place } from "./place.ts";

/**
 * Shows the issue of an address. If the list has a row for the issue, the cursor moves to this row. If the list has no
 * such row, or is not read yet, the issue is opened over the list.
 */
export function arrive(state: State, { issue, isOpen }: Pick<Place, "issue" | "isOpen">): Step {
  const left = withSlice(state, "detail", { arriving: undefined });
  if (issue === undefined) return step(left);
  const there = cursorTo(left, issue);
  if (there !== undefined) return isOpen ? openIssue(there, issue) : step(there);
  const { state: opened, effects } = openIssue(left, issue);
  const arriving = isListRead(opened) ? undefined : { issue, isOpen };
  return { state: withSlice(opened, "detail", { arriving }), effects };
}

/**
 * Once the list has the row of an issue that an address has opened, moves the cursor there. Keeps it there while the
 * list is being read. This ends when the person leaves the issue or moves the cursor.
 */
export function afterArrival({ state, effects }: Step, message: Message): Step {
  const { arriving, open } = state.detail;
  if (arriving === undefined) return { state, effects };
  const isLeft = open.at(-1) !== arriving.issue && isByPerson(message);
  const there = isLeft ? undefined : cursorTo(state, arriving.issue);
  const isOver = there === undefined || arriving.isOpen;
  const { window, detail } = there ?? state;
  const next: State = {
    ...(there ?? state),
    window: isOver || open.length === 0 ? window : { ...window, focus: "list" },
    detail: {
      ...detail,
      ...(isOver ? {} : { open: [], trail: [] }),
      arriving: isLeft || isListRead(state) ? undefined : arriving,
    },
  };
  return { state: next, effects };
}
