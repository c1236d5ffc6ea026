import type { Term } from "../../src/store/types/elections.ts";

/** Returns what a daemon gets when it asks whether it was elected. */
export function term(elected: boolean): Term | undefined {
  return elected ? { name: "work", number: 1 } : undefined;
}
