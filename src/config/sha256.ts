/**
 * SHA-256 of a short text, in hex. `node:crypto` takes three milliseconds to load, a twelfth of the whole start of a
 * command, and every command needs one hash: the name of its database (`paths.ts`). A test holds the two together.
 */
export function sha256Hex(text: string): string {
  const blocks = padded(Buffer.from(text));
  const state = Uint32Array.from(START);
  for (let at = 0; at < blocks.length; at += 64) compress(state, blocks.subarray(at, at + 64));
  return [...state].map((word) => word.toString(16).padStart(8, "0")).join("");
}

/** The message, a one bit, zeros up to a whole block, and the length in bits as its last eight bytes. */
function padded(message: Buffer): Buffer {
  const blocks = Buffer.alloc(Math.ceil((message.length + 9) / 64) * 64);
  message.copy(blocks);
  blocks[message.length] = 0x80;
  blocks.writeBigUInt64BE(BigInt(message.length) * 8n, blocks.length - 8);
  return blocks;
}

function compress(state: Uint32Array, block: Buffer): void {
  const w = new Uint32Array(64);
  for (let t = 0; t < 64; t++) w[t] = t < 16 ? block.readUInt32BE(t * 4) : extend(w, t);
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state;
  for (let t = 0; t < 64; t++) {
    const big1 = turn(e, 6) ^ turn(e, 11) ^ turn(e, 25);
    const t1 = (h + big1 + ((e & f) ^ (~e & g)) + (ROUND[t] ?? 0) + (w[t] ?? 0)) | 0;
    const big0 = turn(a, 2) ^ turn(a, 13) ^ turn(a, 22);
    const t2 = (big0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + t1) | 0, c, b, a, (t1 + t2) | 0];
  }
  for (const [place, word] of [a, b, c, d, e, f, g, h].entries()) {
    state[place] = (state[place] ?? 0) + word;
  }
}

function extend(w: Uint32Array, t: number): number {
  const [x = 0, y = 0] = [w[t - 15], w[t - 2]];
  const small0 = turn(x, 7) ^ turn(x, 18) ^ (x >>> 3);
  const small1 = turn(y, 17) ^ turn(y, 19) ^ (y >>> 10);
  return (w[t - 16] ?? 0) + small0 + (w[t - 7] ?? 0) + small1;
}

function turn(word: number, by: number): number {
  return (word >>> by) | (word << (32 - by));
}

/** FIPS 180-4: fractional parts of the square roots of the first primes to start with, of their cube roots per round. */
const PRIMES = firstPrimes(64);
const START = PRIMES.slice(0, 8).map((prime) => fraction(Math.sqrt(prime)));
const ROUND = PRIMES.map((prime) => fraction(Math.cbrt(prime)));

function firstPrimes(count: number): readonly number[] {
  const primes: number[] = [];
  for (let n = 2; primes.length < count; n++) {
    if (primes.every((prime) => n % prime !== 0)) primes.push(n);
  }
  return primes;
}

/** The first 32 bits behind the point. */
function fraction(value: number): number {
  return Math.floor((value - Math.floor(value)) * 2 ** 32);
}
