import { invalid } from "./failure.ts";

/** `key=value` pairs of `--meta`; the values are strings, split at the first `=`. */
export function readMetadata(
  pairs: readonly string[] = [],
): Readonly<Record<string, string>> | undefined {
  if (pairs.length === 0) return undefined;
  const entries = pairs.map((pair) => {
    const at = pair.indexOf("=");
    if (at <= 0) throw invalid(`--meta needs key=value, not ${JSON.stringify(pair)}`);
    return [pair.slice(0, at), pair.slice(at + 1)] as const;
  });
  return Object.fromEntries(entries);
}
