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

/** The share of the answers that stand among the first `most` results; of more answers than these, so many suffice. */
export function recall({ ids }: Judged, found: readonly string[], most: number): number {
  const first = new Set(found.slice(0, most));
  return ids.filter((id) => first.has(id)).length / Math.min(most, ids.length);
}

export function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
}
