/**
 * Issues by blocks of their ids, for PostgreSQL. Its index finds all rows with a word and knows no order, so a common
 * word alone would read every issue that has it. Each row therefore also holds words for the blocks it is in, and a
 * search asks for the word in the newest blocks (`newest.ts`). SQLite reads its index from the newest row on.
 */
export const SMALLEST_BLOCK = 1024;
const LARGEST = 524_288;
const SIZES = [SMALLEST_BLOCK, 8192, 65_536, LARGEST];
/** More blocks of one size than these are named by the next larger size: a long list of them is slow. */
const MOST_BLOCKS = 8;

export function blocksOf(id: number): readonly string[] {
  return SIZES.map((size) => blockWord(size, Math.floor(id / size)));
}

/** The blocks that hold the ids of a range, whose ends are in it. They may reach some way beyond the range. */
export function blocksWithin(from: number, to: number): readonly string[] {
  const size = SIZES.find((one) => to - from < MOST_BLOCKS * one) ?? LARGEST;
  const first = Math.floor(from / size);
  const count = Math.floor(to / size) - first + 1;
  return Array.from({ length: count }, (_, at) => blockWord(size, first + at));
}

function blockWord(size: number, block: number): string {
  return `b${size}x${block}`;
}
