/**
 * SHA-256 of a short text, in hex. Every command needs one hash, for the name of its database (`paths.ts`), and loading
 * `node:crypto` for it takes three milliseconds, a twelfth of a command's start. A test compares the results with those
 * of `node:crypto`. The code runs only once, before the engine compiles it, so it avoids what is slow in uncompiled
 * code.
 */
export function sha256Hex(text: string): string {
  const blocks = padded(Buffer.from(text));
  const state = Int32Array.from(INITIAL_STATE);
  const schedule = new Int32Array(64);
  for (let at = 0; at < blocks.length; at += 64) compress(state, schedule, blocks, at);
  const digest = Buffer.alloc(32);
  for (let word = 0; word < 8; word++) digest.writeInt32BE(state[word] ?? 0, word * 4);
  return digest.toString("hex");
}

/** Padding: the message, a one bit, zeros up to a full block, and the length in bits in the last eight bytes. */
function padded(message: Buffer): Buffer {
  const blocks = Buffer.alloc(Math.ceil((message.length + 9) / 64) * 64);
  message.copy(blocks);
  blocks[message.length] = 0x80;
  blocks.writeUInt32BE(message.length * 8, blocks.length - 4);
  return blocks;
}

function compress(state: Int32Array, w: Int32Array, blocks: Buffer, at: number): void {
  for (let t = 0; t < 16; t++) w[t] = blocks.readInt32BE(at + t * 4);
  for (let t = 16; t < 64; t++) {
    const x = w[t - 15] ?? 0;
    const y = w[t - 2] ?? 0;
    const small0 = ((x >>> 7) | (x << 25)) ^ ((x >>> 18) | (x << 14)) ^ (x >>> 3);
    const small1 = ((y >>> 17) | (y << 15)) ^ ((y >>> 19) | (y << 13)) ^ (y >>> 10);
    w[t] = (w[t - 16] ?? 0) + small0 + (w[t - 7] ?? 0) + small1;
  }
  let a = state[0] ?? 0;
  let b = state[1] ?? 0;
  let c = state[2] ?? 0;
  let d = state[3] ?? 0;
  let e = state[4] ?? 0;
  let f = state[5] ?? 0;
  let g = state[6] ?? 0;
  let h = state[7] ?? 0;
  for (let t = 0; t < 64; t++) {
    const big1 = ((e >>> 6) | (e << 26)) ^ ((e >>> 11) | (e << 21)) ^ ((e >>> 25) | (e << 7));
    const t1 = (h + big1 + ((e & f) ^ (~e & g)) + (ROUND_CONSTANTS[t] ?? 0) + (w[t] ?? 0)) | 0;
    const big0 = ((a >>> 2) | (a << 30)) ^ ((a >>> 13) | (a << 19)) ^ ((a >>> 22) | (a << 10));
    const t2 = (big0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    h = g;
    g = f;
    f = e;
    e = (d + t1) | 0;
    d = c;
    c = b;
    b = a;
    a = (t1 + t2) | 0;
  }
  state[0] = (state[0] ?? 0) + a;
  state[1] = (state[1] ?? 0) + b;
  state[2] = (state[2] ?? 0) + c;
  state[3] = (state[3] ?? 0) + d;
  state[4] = (state[4] ?? 0) + e;
  state[5] = (state[5] ?? 0) + f;
  state[6] = (state[6] ?? 0) + g;
  state[7] = (state[7] ?? 0) + h;
}

/** FIPS 180-4: fractional parts of the square roots of the first eight primes. */
const INITIAL_STATE = [
  0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
];

/** FIPS 180-4: fractional parts of the cube roots of the first 64 primes. */
const ROUND_CONSTANTS = [
  0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
  0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
  0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
  0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
  0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
  0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
  0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
  0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
];
