import fc from "fast-check";
import { expect } from "vitest";
import { systemClock } from "../../../src/base/clock.ts";
import { expectFolded } from "../../store/fold.ts";
import { type Step, step } from "../../support/random-steps.ts";
import type { OpenTestStore } from "../../support/store.ts";
import { type Happening, happenings, LONG, stepsOf, timesUsual } from "./happenings.ts";
import { Net } from "./net.ts";
import { portableRows } from "./portable.ts";

/** A story that can be shortened. */
export interface ShortenableStory {
  readonly seed: number;
  readonly before: readonly object[];
  readonly all: readonly object[];
}

/** What is done to a net. The same story gives the same net on SQLite. */
export interface Story {
  readonly seed: number;
  /** What is done on the hub before its projects are federated. */
  readonly before: readonly Step[];
  readonly all: readonly (Step | Happening)[];
}

const BEFORE = 20;

export function storyOf(seed: number, length: number): Story {
  const times = timesUsual(length);
  const parts = [stepsOf(times), happenings(times)] as const;
  const mixed =
    times === 1
      ? fc.oneof<fc.Arbitrary<Step | Happening>[]>(...parts)
      : fc.oneof<fc.WeightedArbitrary<Step | Happening>[]>(
          { weight: LONG.steps, arbitrary: parts[0] },
          { weight: LONG.others, arbitrary: parts[1] },
        );
  return {
    seed,
    before: fc.sample(step, { seed, numRuns: BEFORE }),
    all: fc.sample(mixed, { seed, numRuns: length }),
  };
}

/** Does to a net what the story says, until every event has reached every daemon. The caller closes the net. */
export async function settledNet(open: OpenTestStore, { seed, before, all }: Story): Promise<Net> {
  const net = await Net.begin(open, seed, before);
  await net.join(net.projects);
  await net.join(net.projects.slice(0, 1));
  await net.go(all);
  await net.settle();
  return net;
}

/** Fails unless the tables of each daemon equal the fold of its log, and replicas show the same as the hub. */
export async function expectAgreement({ hub, replicas }: Net): Promise<void> {
  await expectFolded(hub.store);
  for (const { store, projects } of replicas) {
    await expectFolded(store);
    const uids = new Set(projects.map(({ uid }) => uid));
    expect(await portableRows(store, uids)).toEqual(await portableRows(hub.store, uids));
  }
}

/** What `tell` throws, if anything. */
export async function failureOf(tell: () => Promise<void>): Promise<Error | undefined> {
  try {
    await tell();
    return undefined;
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

/**
 * Tells the story, and returns why it fails; "" if it holds. Leaves out parts of a story that fails as long as it
 * still fails, and names the seed and what remains.
 */
export async function faultOf<S extends ShortenableStory>(
  story: S,
  tell: (story: S) => Promise<void>,
  shortenMs: number,
): Promise<string> {
  const failure = await failureOf(async () => await tell(story));
  if (failure === undefined) return "";
  const [shortest, last] = await shortened(story, failure, tell, shortenMs);
  const steps = [...shortest.before.map((one) => ["before", one]), ...shortest.all];
  const left = steps.length > MOST_STEPS ? [`and ${steps.length - MOST_STEPS} more`] : [];
  const shown = steps.slice(0, MOST_STEPS).map((one) => JSON.stringify(one));
  const lines = [...shown, ...left].join("\n");
  const [seed, count] = [story.seed, steps.length];
  return `seed ${seed}, ${count} steps: ${diffOf(last)}\n\n${lines}`;
}

interface Compared {
  readonly actual: unknown;
  readonly expected: unknown;
}

/** The rows that only one side of a failed comparison has. */
function diffOf(failure: Error): string {
  const { actual, expected }: Partial<Compared> = failure as Error & Partial<Compared>;
  const [got, wanted] = [linesOf(actual), linesOf(expected)];
  const only = (side: ReadonlySet<string>, other: ReadonlySet<string>, sign: string) =>
    [...side].filter((line) => !other.has(line)).map((line) => `${sign} ${line}`);
  const lines = [...only(got, wanted, "+"), ...only(wanted, got, "-")].slice(0, MOST_LINES);
  return [failure.message, ...lines].join("\n");
}

function linesOf(value: unknown, path: string = ""): ReadonlySet<string> {
  if (typeof value !== "object" || value === null) return new Set([`${path} ${value}`]);
  const isList = Array.isArray(value);
  return new Set(
    Object.entries(value).flatMap(([key, item]) => [
      ...linesOf(item, isList ? path : `${path}.${key}`),
    ]),
  );
}

const [MOST_LINES, MOST_STEPS] = [40, 200];

async function shortened<S extends ShortenableStory>(
  story: S,
  failure: Error,
  tell: (story: S) => Promise<void>,
  forMs: number,
): Promise<readonly [S, Error]> {
  let [shortest, last] = [story, failure];
  const until = systemClock.nowMs() + forMs;
  const tries = async (shorter: S): Promise<boolean> => {
    const found = await failureOf(async () => await tell(shorter));
    if (found !== undefined) [shortest, last] = [shorter, found];
    return found !== undefined;
  };
  for (const part of ["before", "all"] as const)
    for (let size = Math.ceil(shortest[part].length / 2); size >= 1; size = Math.floor(size / 2))
      for (let at = 0; at < shortest[part].length && systemClock.nowMs() < until; ) {
        const without = shortest[part].toSpliced(at, size);
        if (!(await tries({ ...shortest, [part]: without }))) at += size;
      }
  return [shortest, last];
}
