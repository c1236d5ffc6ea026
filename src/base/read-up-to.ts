import { readSync } from "node:fs";

const PORTION_BYTES = 64 * 1024;

/** Reads a descriptor to its end, or until more than `most` bytes were read: a device or a pipe may never end. */
export function readUpTo(descriptor: number, most: number): Buffer {
  const portions: Buffer[] = [];
  let bytes = 0;
  while (bytes <= most) {
    const portion = Buffer.alloc(PORTION_BYTES);
    const read = readSync(descriptor, portion);
    if (read === 0) break;
    portions.push(portion.subarray(0, read));
    bytes += read;
  }
  return Buffer.concat(portions);
}
