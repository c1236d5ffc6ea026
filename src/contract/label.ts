import { isDotSegment } from "../base/dot-segment.ts";
import { MAX_LABEL_CHARACTERS } from "./limits.ts";

export const LABEL = new RegExp(`^[a-z0-9._:-]{1,${MAX_LABEL_CHARACTERS}}$`);
export const LABEL_RULE = `must be 1 to ${MAX_LABEL_CHARACTERS} of a-z 0-9 . _ : -`;
export const DOTS_RULE = "must not be . or ..";

/** Returns the rule that a label breaks (docs/contract/cron-and-inbox.md#121-fields-and-writes), or `undefined`. */
export function brokenLabelRule(label: string): string | undefined {
  if (!LABEL.test(label)) return LABEL_RULE;
  return isDotSegment(label) ? DOTS_RULE : undefined;
}
