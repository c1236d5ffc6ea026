import { shownIssue } from "../board.ts";
import { needsIssue, openIssue } from "../detail.ts";
import { fieldOf } from "../field.ts";
import { named } from "../sending.ts";
import { step } from "../step.ts";
import { atOf, type Write } from "../writes.ts";
import { clamp, type Doings, onOne, to, writing } from "./doing.ts";

export const FLEET = {
  "fleet-down": to((state) => {
    return { ...state, fleetCursor: clamp(state.fleetCursor + 1, state.fleet.length) };
  }),
  "fleet-up": to((state) => ({ ...state, fleetCursor: Math.max(0, state.fleetCursor - 1) })),
  "fleet-open": { run: (state) => openIssue(state, shownIssue(state)), why: needsIssue },
  "fleet-release": writing(
    onOne((state, issue) => {
      const reason = `released by ${state.actor} from the board`;
      const writes: readonly Write[] = [{ act: "release", at: atOf(issue), reason }];
      const text = `release the lease of ${named([issue])}`;
      return step({
        ...state,
        sheet: { sheet: "type", text, expected: issue.qualified_id, field: fieldOf(""), writes },
      });
    }),
  ),
  "fleet-steal": writing(
    onOne((state, issue) => {
      const reason = `taken over by ${state.actor} from the board`;
      const writes: readonly Write[] = [{ act: "steal", at: atOf(issue), reason }];
      const text = `take over ${named([issue])}`;
      return step({
        ...state,
        sheet: { sheet: "type", text, expected: issue.qualified_id, field: fieldOf(""), writes },
      });
    }),
  ),
} satisfies Doings;
