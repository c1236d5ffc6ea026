/**
 * Compares two semantic versions. Returns a negative number if `a` is older than `b`, a positive number if it is newer,
 * and 0 if they are equal. `1.2.0` is older than `1.10.0`, and `1.2.0-beta` is older than `1.2.0`.
 */
export function compareVersions(a: string, b: string): number {
  const [left, right] = [partsOf(a), partsOf(b)];
  for (const [at, number] of left.numbers.entries()) {
    const difference = number - (right.numbers[at] ?? 0);
    if (difference !== 0) return difference;
  }
  if (left.pre === right.pre) return 0;
  if (left.pre === "" || right.pre === "") return left.pre === "" ? 1 : -1;
  return left.pre.localeCompare(right.pre, "en", { numeric: true });
}

function partsOf(version: string): { readonly numbers: readonly number[]; readonly pre: string } {
  const [core = "", ...pre] = (version.split("+")[0] ?? "").split("-");
  const [major = 0, minor = 0, patch = 0] = core
    .split(".")
    .map((part) => Number.parseInt(part, 10) || 0);
  return { numbers: [major, minor, patch], pre: pre.join("-") };
}
