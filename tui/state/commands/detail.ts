import { chosenIssue, moveInDetail, nextSection, openIssue, scrollBy } from "../detail.ts";
import { commentForm, keyOf } from "../forms.ts";
import { boardHeight } from "../lanes.ts";
import { step } from "../step.ts";
import { type Doings, onOne, to } from "./doing.ts";

/** Further than any text is long. */
const END = Number.MAX_SAFE_INTEGER;

export const DETAIL = {
  "scroll-down": to((state) => moveInDetail(state, 1)),
  "scroll-up": to((state) => moveInDetail(state, -1)),
  "scroll-page": to((state) => scrollBy(state, boardHeight(state) - 1)),
  "scroll-page-up": to((state) => scrollBy(state, 1 - boardHeight(state))),
  "scroll-top": to((state) => scrollBy(state, -END)),
  "scroll-bottom": to((state) => scrollBy(state, END)),
  "next-section": to((state) => nextSection(state, 1)),
  "previous-section": to((state) => nextSection(state, -1)),
  "raw-text": to((state) => ({ ...state, raw: !state.raw, chosenRef: undefined })),
  follow: {
    run: (state) => openIssue(state, chosenIssue(state)),
    why: (state) =>
      chosenIssue(state) === undefined ? "no issue is chosen: tab goes to links" : undefined,
  },
  comment: onOne((state, issue) => {
    const serial = state.serial + 1;
    return step({ ...state, serial, sheet: commentForm(issue, keyOf(state, serial)) });
  }),
} satisfies Doings;
