import type { Term } from "../../src/store/types/elections.ts";

/** What a daemon hears that asks whether it is elected. */
export function term(elected: boolean): Term | undefined {
  return elected ? { name: "work", number: 1 } : undefined;
}
