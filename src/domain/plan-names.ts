import { MAX_PLAN_NAME_CHARACTERS } from "../contract/limits.ts";

/**
 * The issues of a plan are marked as imported from a source with this prefix and the plan's name
 * (docs/architecture/issues.md, Plans).
 */
export const PLAN_PREFIX = "plan:";

export function planSource(plan: string): string {
  return `${PLAN_PREFIX}${plan}`;
}

export interface PlanRenaming {
  readonly from: string;
  readonly to: string;
}

/**
 * Returns new names for those plans of a merged project whose names the target project already uses: `x-2`, or the next
 * free number.
 */
export function renamedPlans(
  names: readonly string[],
  others: readonly string[],
): readonly PlanRenaming[] {
  const taken = new Set([...names, ...others]);
  const shared = new Set(others);
  return names
    .filter((from) => shared.has(from))
    .map((from) => {
      for (let number = 2; ; number += 1) {
        const end = `-${number}`;
        const to = `${from.slice(0, MAX_PLAN_NAME_CHARACTERS - end.length)}${end}`;
        if (taken.has(to)) continue;
        taken.add(to);
        return { from, to };
      }
    });
}
