import { nextSection } from "../detail.ts";
import { commentForm, keyOf } from "../forms.ts";
import { boardHeight } from "../lanes.ts";
import { step } from "../step.ts";
import { type Doings, onOne, to } from "./doing.ts";

export const DETAIL = {
  "scroll-down": to((state) => ({ ...state, scroll: state.scroll + 1 })),
  "scroll-up": to((state) => ({ ...state, scroll: Math.max(0, state.scroll - 1) })),
  "scroll-page": to((state) => ({ ...state, scroll: state.scroll + boardHeight(state) - 1 })),
  "scroll-page-up": to((state) => {
    return { ...state, scroll: Math.max(0, state.scroll - boardHeight(state) + 1) };
  }),
  "scroll-top": to((state) => ({ ...state, scroll: 0 })),
  "next-section": to((state) => nextSection(state, 1)),
  "previous-section": to((state) => nextSection(state, -1)),
  comment: onOne((state, issue) => {
    const serial = state.serial + 1;
    return step({ ...state, serial, sheet: commentForm(issue, keyOf(state, serial)) });
  }),
} satisfies Doings;
