import type { Behaviour } from "./bench.ts";
import { readBehaviours } from "./read-behaviours.ts";
import { refusalBehaviours } from "./refusal-behaviours.ts";
import { writeBehaviours } from "./write-behaviours.ts";

/** In the order in which they run: a root without fixture stays complete, so completing it comes last. */
export const BEHAVIOURS: readonly Behaviour[] = [
  ...readBehaviours,
  ...refusalBehaviours,
  ...writeBehaviours,
];
