import { systemClock } from "../../../src/base/clock.ts";
import { faultOf, type ShortenableStory } from "./story.ts";

/**
 * `npm run bench -- federation-simulation` sets these: the first seed, how many seeds, how many events a story has, and how
 * many spokes.
 */
const { env } = process;
const FIRST = Number(env["SVC_FEDERATION_SEED"] ?? 1);
const SHORTEN_MS = Number(env["SVC_FEDERATION_SHORTEN_MS"] ?? 60_000);
const isBench = env["SVC_FEDERATION_SEEDS"] !== undefined;

/** How many stories are told, and how many events each has. */
interface Size {
  readonly seeds: number;
  readonly length: number;
}

/** The size in the suite, unless the environment asks for another one. */
export function sizeOf(suite: Size): Size {
  return {
    seeds: Number(env["SVC_FEDERATION_SEEDS"] ?? suite.seeds),
    length: Number(env["SVC_FEDERATION_LENGTH"] ?? suite.length),
  };
}

/** How many spokes the hub of a story has: as many as in the suite, unless the environment asks for others. */
export function spokesOr(suite: number): number {
  return Number(env["SVC_FEDERATION_SPOKES"] ?? suite);
}

/** Each seed has a test of its own, so that the next one uses its databases again. */
export function seedsOf({ seeds }: Size): readonly number[] {
  return Array.from({ length: seeds }, (_, at) => FIRST + at);
}

/** The time limit of a test that tells such a story, on a busy machine, and shortens it. In ms. */
export function limitOf({ length }: Size): number {
  return 300_000 + length * 2000;
}

/**
 * Tells the story of a seed; `tell` returns how many events the hub has in the end. Returns how and why the story
 * fails, or "" if it does not.
 */
export async function faultOfSeed<S extends ShortenableStory>(
  seed: number,
  { length }: Size,
  storyOf: (seed: number, length: number) => S,
  tell: (story: S) => Promise<number>,
): Promise<string> {
  const begun = systemClock.nowMs();
  let events = 0;
  const counted = async (story: S) => void (events = await tell(story));
  const fault = await faultOf(storyOf(seed, length), counted, SHORTEN_MS);
  const seconds = Math.round((systemClock.nowMs() - begun) / 1000);
  if (isBench) process.stdout.write(`seed ${seed}: ${events} events on the hub, ${seconds} s\n`);
  return fault;
}
