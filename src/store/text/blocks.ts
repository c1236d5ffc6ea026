/*
 * This file makes words for blocks of issue ids, which only PostgreSQL uses. PostgreSQL's index finds the rows with a
 * word in no particular order, so a search for a common word would read every issue that has it. Each row therefore
 * also contains one word for each block that its id is in, and a search asks for its words in the newest blocks only
 * (`newest.ts`). SQLite needs no blocks: it reads its index from the newest row on.
 */

export const SMALLEST_BLOCK = 1024;
const LARGEST_BLOCK = 524_288;
const BLOCK_SIZES = [SMALLEST_BLOCK, 8192, 65_536, LARGEST_BLOCK];
/**
 * A range that would need more blocks than this uses the next larger block size, because a long list of blocks is slow.
 */
const MOST_BLOCKS = 8;

export function blocksOf(id: number): readonly string[] {
  return BLOCK_SIZES.map((size) => blockWord(size, Math.floor(id / size)));
}

/**
 * Returns block words that together cover all ids from `from` to `to` (both included). The blocks at both ends may also
 * contain other ids.
 */
export function blocksWithin(from: number, to: number): readonly string[] {
  const size = BLOCK_SIZES.find((one) => to - from < MOST_BLOCKS * one) ?? LARGEST_BLOCK;
  const first = Math.floor(from / size);
  const count = Math.floor(to / size) - first + 1;
  return Array.from({ length: count }, (_, at) => blockWord(size, first + at));
}

function blockWord(size: number, block: number): string {
  return `b${size}x${block}`;
}
