import type { Generation } from "../store/types/vectors.ts";

export interface Plan {
  /** The generation that is filled. Undefined if it does not exist yet; then it begins in the state `begins`. */
  readonly working: Generation | undefined;
  readonly begins: "building" | "active";
  /** A generation that answers searches, or did so for another model, until the working one is full. */
  readonly serving: Generation | undefined;
  /** Generations whose rows are removed. */
  readonly dropped: readonly Generation[];
}

/**
 * Says what becomes of the generations (docs/contract/search.md#92-generations). The newest building generation with
 * the configured fingerprint is filled; without one, the active generation; without one, a retired one that was not
 * removed yet, since somebody went back to its model.
 */
export function planOf(all: readonly Generation[], fingerprint: string): Plan {
  const newestFirst = all.toSorted((a, b) => b.id - a.id);
  const serving = newestFirst.find(({ state }) => state === "active");
  const own = newestFirst.filter((one) => one.fingerprint === fingerprint);
  const working = (["building", "active", "retired"] as const)
    .map((wanted) => own.find(({ state }) => state === wanted))
    .find((one) => one !== undefined);
  return {
    working,
    begins: serving === undefined ? "active" : "building",
    serving,
    dropped: all.filter(({ id }) => id !== working?.id && id !== serving?.id),
  };
}
