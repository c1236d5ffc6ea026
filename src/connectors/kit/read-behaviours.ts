import { instantToMs } from "../../base/clock.ts";
import type { ExternalComment } from "../../domain/bridges/values.ts";
import { type Behaviour, type Bench, requireRule, same, unobserved } from "./bench.ts";
import type { Fixture } from "./fixture.ts";

const MOST_SKEW_MS = 120_000;
const NO_PROVIDER = "without a fixture it is not compared with what the provider has";

/** The behaviours of a connector that only reads. */
export const readBehaviours: readonly Behaviour[] = [
  {
    ...{ number: 1, name: "describe says the same each time" },
    run: async (bench) => {
      const first = await bench.described();
      for (let count = 0; count < 2; count++) await requireDescribed(bench, first);
      return undefined;
    },
  },
  {
    ...{ number: 2, name: "a locator gives the same root each time, of the described account" },
    run: async (bench) => {
      const { account_identity } = await bench.described();
      const locator = await bench.locator();
      const first = await bench.client.resolveRoot(locator);
      const account = `identity_key is not the account_identity ${account_identity}`;
      requireRule(first.identity_key === account_identity, "root.account", account);
      requireObserved(first.observed_at, bench);
      const second = await bench.client.resolveRoot(locator);
      requireRule(same(unobserved(first), unobserved(second)), "root.stable", "the second differs");
      requireObserved(second.observed_at, bench);
      const before = "the second observed_at is before the first";
      requireRule(second.observed_at >= first.observed_at, "root.observed", before);
      return undefined;
    },
  },
  {
    ...{
      number: 3,
      name: "a root is read as the provider has it, the same while nobody changes it",
    },
    run: async (bench) => {
      const resolved = await bench.root();
      for (let count = 0; count < 2; count++) {
        const read = await bench.client.readRoot(resolved.key);
        const why = "read_root differs from what resolve_root said";
        requireRule(same(unobserved(read), unobserved(resolved)), "root.stable", why);
      }
      if (bench.fixture === undefined) return NO_PROVIDER;
      const { root } = await bench.fixture.state(resolved.key);
      const { title, body, state } = resolved;
      const there = `the provider has ${JSON.stringify(root)}`;
      requireRule(same({ title, body, state }, root), "root.state_there", there);
      return undefined;
    },
  },
  {
    ...{ number: 4, name: "all comments are listed in order, also an edited and a deleted one" },
    run: async (bench) => {
      const { key } = await bench.root();
      const listed = await bench.client.listComments(key);
      if (bench.fixture === undefined) return NO_PROVIDER;
      await requireAllComments(bench.fixture, key, listed);
      const [first, second] = listed;
      requireRule(listed.length >= 3, "comments.all", "the root of a fixture has three comments");
      await bench.fixture.editComment(key, first?.id ?? "", "an edited text");
      await bench.fixture.deleteComment(key, second?.id ?? "");
      await requireAllComments(bench.fixture, key, await bench.client.listComments(key));
      return undefined;
    },
  },
  {
    ...{ number: 5, name: "an edited comment keeps its id and gets another revision" },
    run: async (bench) => {
      const fixture = bench.requireFixture();
      const { key } = await bench.root();
      const [before] = await bench.client.listComments(key);
      requireRule(before !== undefined, "comments.all", "the root of a fixture has three comments");
      await bench.deps.clock.sleep(10);
      await fixture.editComment(key, before?.id ?? "", "another text");
      const listed = await bench.client.listComments(key);
      const after = listed.find(({ id }) => id === before?.id);
      requireRule(after?.body === "another text", "comments.edit", "the edited text is not listed");
      const isNewer = after?.revision !== before?.revision;
      requireRule(isNewer, "comments.edit", "the revision is still the same");
      const isLater = (after?.updated_at ?? "") > (before?.updated_at ?? "");
      requireRule(isLater, "comments.edit", "updated_at is not later than before");
      return undefined;
    },
  },
];

/** Throws unless describe says what it said first. */
export async function requireDescribed(bench: Bench, first: unknown): Promise<void> {
  const again = await bench.client.describe();
  const before = `before it said ${JSON.stringify(first)}`;
  requireRule(same(again, first), "describe.stable", before);
}

function requireObserved(observed: string, { deps }: Bench): void {
  const skew = Math.abs(instantToMs(observed) - deps.clock.nowMs());
  requireRule(
    skew <= MOST_SKEW_MS,
    "root.observed",
    `observed_at is ${Math.round(skew / 1000)} s away`,
  );
}

async function requireAllComments(
  fixture: Fixture,
  key: string,
  listed: readonly ExternalComment[],
): Promise<void> {
  const there = (await fixture.state(key)).comments;
  // The text of a deleted comment is of no use.
  const said = (one: { id: string; body: string; deleted: boolean }): string =>
    JSON.stringify([one.id, one.deleted, one.deleted ? "" : one.body]);
  const [left, right] = [listed, there].map((comments) => comments.map(said).toSorted());
  const why = `the provider has ${JSON.stringify(there)}`;
  requireRule(same(left, right), "comments.all", why);
}
