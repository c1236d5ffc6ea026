import { expect, test, vi } from "vitest";
import type * as Evolve from "../../src/domain/evolve/snapshots.ts";
import type * as Order from "../../src/domain/order.ts";
import type * as Admit from "../../src/store/admit.ts";
import type * as Refold from "../../src/store/refold/refold.ts";
import { type OpenTestStore, sqliteDatabase } from "../support/store.ts";
import { expectAgreement, failureOf, settledNet, storyOf } from "./nodes/story.ts";

/** Faults that are planted one at a time into the code that folds events of other daemons. */
const PLANTS = [
  "fold: a snapshot does not carry the revision of its issue",
  "order: the clock of an event is not raised to that of the last baseline",
  "witness: the clock of the database does not follow the events that arrive",
  "refold: a late event is folded as if it were the newest",
] as const;

const planted = vi.hoisted(() => ({ name: "" }));

vi.mock("../../src/domain/evolve/snapshots.ts", async (original) => {
  const module = await original<typeof Evolve>();
  const { touches, evolve } = module.issueSnapshot;
  const issueSnapshot: typeof module.issueSnapshot = {
    touches,
    evolve: (state, event) =>
      evolve(
        state,
        planted.name.startsWith("fold")
          ? { ...event, payload: { ...event.payload, revision: 1 } }
          : event,
      ),
  };
  return { ...module, issueSnapshot };
});

vi.mock("../../src/domain/order.ts", async (original) => {
  const module = await original<typeof Order>();
  class FoldOrder extends module.FoldOrder {
    override compareByClock(left: Order.Place, right: Order.Place): number {
      if (!planted.name.startsWith("order")) return super.compareByClock(left, right);
      const rank = ({ type }: Order.Place) => (type === "project.created" ? 0 : 1);
      return (
        rank(left) - rank(right) ||
        module.compareClocks(left, right) ||
        (left.uid < right.uid ? -1 : 1)
      );
    }
  }
  return { ...module, FoldOrder };
});

vi.mock("../../src/store/admit.ts", async (original) => {
  const module = await original<typeof Admit>();
  const admit: typeof module.admit = async (to, ...rest) => {
    const { hlc_physical_ms, hlc_counter } = to.head;
    const admitted = await module.admit(to, ...rest);
    if (planted.name.startsWith("witness")) to.head = { ...to.head, hlc_physical_ms, hlc_counter };
    return admitted;
  };
  return { ...module, admit };
});

vi.mock("../../src/store/refold/refold.ts", async (original) => {
  const module = await original<typeof Refold>();
  const refoldRows: typeof module.refoldRows = async (...args) =>
    planted.name.startsWith("refold") ? 0 : await module.refoldRows(...args);
  return { ...module, refoldRows };
});

/** Each of these faults is found within this many seeds. */
const CAP = 12;
const LENGTH = 80;

/** None of the faults depends on the database. */
const open: OpenTestStore = Object.assign(
  async (options?: Parameters<OpenTestStore>[0]) => await (await sqliteDatabase()).open(options),
  { database: sqliteDatabase, dialect: "sqlite" as const },
);

test.each(PLANTS)(
  `a planted fault is found within ${CAP} seeds, and no fault is found without it: %s`,
  async (name) => {
    const seed = await firstFailure(name);
    expect(seed).toBeLessThanOrEqual(CAP);
    expect(await failureWith("", seed)).toBeUndefined();
  },
  600_000,
);

async function firstFailure(name: string): Promise<number> {
  for (let seed = 1; seed <= CAP; seed += 1)
    if ((await failureWith(name, seed)) !== undefined) return seed;
  return Number.POSITIVE_INFINITY;
}

async function failureWith(name: string, seed: number): Promise<Error | undefined> {
  planted.name = name;
  return await failureOf(async () => {
    const net = await settledNet(open, storyOf(seed, LENGTH));
    try {
      await expectAgreement(net);
    } finally {
      await net.close();
    }
  });
}
