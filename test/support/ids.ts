import type { Ids } from "../../src/base/ids.ts";

const DIGITS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/**
 * Makes ULIDs that count from one and sort in that order. The nth ends in `A` and three digits, so the first short id
 * is `a001`. With `start`, counting begins after this number, so that two worlds have no uid in common.
 */
export function countingIds(start = 0): Ids {
  let made = start;
  return {
    ulid: () => {
      made += 1;
      const [high, low] = [Math.floor(made / 32 ** 3), made % 32 ** 3];
      return `01${base32(high, 20)}A${base32(low, 3)}`;
    },
  };
}

function base32(value: number, length: number): string {
  let [text, rest] = ["", value];
  for (let at = 0; at < length; at += 1) {
    text = DIGITS.charAt(rest % 32) + text;
    rest = Math.floor(rest / 32);
  }
  return text;
}
