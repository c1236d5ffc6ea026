import { readFileSync } from "node:fs";
import { join } from "node:path";

export interface Judged {
  readonly kind: string;
  readonly query: string;
  /** The issues of the corpus that answer the query. */
  readonly ids: readonly string[];
}

export function judged(file: string): readonly Judged[] {
  return JSON.parse(readFileSync(join(import.meta.dirname, file), "utf8")) as Judged[];
}

/**
 * Returns the share of the answers that are among the first `most` results. If there are more answers than that, `most`
 * of them are enough for a share of 1.
 */
export function recall({ ids }: Judged, found: readonly string[], most: number): number {
  const first = new Set(found.slice(0, most));
  return ids.filter((id) => first.has(id)).length / Math.min(most, ids.length);
}

export function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
}
