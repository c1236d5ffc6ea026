/** What happened to a value in the import. Values with the same outcome are counted together. */
export interface Outcome {
  readonly kind: "kept" | "mapped" | "dropped";
  /** Where the value went in svc; absent if it was dropped. */
  readonly to?: string;
  readonly why?: string;
}

export function deletedIn(format: string): string {
  return `deleted in ${format}`;
}

export type Section =
  | "statuses"
  | "types"
  | "edges"
  | "comments"
  | "labels"
  | "dates"
  | "fields"
  | "filled";

/** The reason (`why`) for all values of an issue whose type the mapping ignores. */
export const NO_WORK = "its type is no work";

/**
 * One row of the report. `name` is a status, type, kind of link or field, and `read` is the number of its values in the
 * file. The counts in `outcomes` add up to `read`, so no value is lost silently.
 */
export interface ImportAccountRow {
  readonly name: string;
  readonly read: number;
  readonly outcomes: readonly (Outcome & { readonly count: number })[];
}

/**
 * The report of an import: what the file contains, and what became of each part. The rows of a section are in the order
 * in which their values were first counted.
 */
export type ImportAccount = { readonly [S in Section]: readonly ImportAccountRow[] } & {
  readonly format: string;
  readonly records: number;
  /** Records that are issues, deleted ones included. */
  readonly issues: number;
  /** The ids of issues left out because the mapping file ignores their type. */
  readonly no_work?: readonly { readonly type: string; readonly ids: readonly string[] }[];
  /**
   * The statuses, types and kinds of links for which the mapping has no rule. Present only if the user gave a mapping
   * file.
   */
  readonly unmapped?: Readonly<Record<"statuses" | "types" | "links", readonly string[]>>;
  readonly kept: number;
  /** Issues left out because the source had deleted them. */
  readonly tombstones: number;
  /** Copies that were left out because another copy of the same issue was used. */
  readonly superseded: number;
  /** The files that were read; absent if the source is a single file. */
  readonly files?: readonly ImportAccountRow[];
  /** Number of records that are not issues, by their kind. */
  readonly other_records: Readonly<Record<string, number>>;
  /** Labels that differ in the file but become the same label in svc. */
  readonly label_collisions: readonly {
    readonly label: string;
    readonly from: readonly string[];
  }[];
  readonly links: { readonly parent: number; readonly blocks: number; readonly related: number };
};

export interface Tally {
  add(section: Section, name: string, outcome: Outcome): void;
  rows(section: Section): readonly ImportAccountRow[];
}

export function newTally(): Tally {
  const sections = new Map<Section, Map<string, RowCount>>();
  return {
    add(section, name, outcome) {
      const rows = getOrPut(sections, section, () => new Map());
      getOrPut(rows, name, () => new RowCount(name)).add(outcome);
    },
    rows(section) {
      return [...(sections.get(section)?.values() ?? [])].map((row) => row.row());
    },
  };
}

/** Counts the values of one row of the report. */
export class RowCount {
  readonly #name: string;
  readonly #outcomes = new Map<string, CountedOutcome>();
  #last: CountedOutcome | undefined;

  constructor(name: string) {
    this.#name = name;
  }

  add(outcome: Outcome): void {
    // Most values have the same outcome as the previous one. Comparing with it first is faster than making a key for
    // each value of a large file.
    if (this.#last === undefined || !isSame(this.#last, outcome)) {
      const key = `${outcome.kind}\u0001${outcome.to}\u0001${outcome.why}`;
      this.#last = getOrPut(this.#outcomes, key, () => ({ ...outcome, count: 0 }));
    }
    this.#last.count += 1;
  }

  row(): ImportAccountRow {
    const outcomes = [...this.#outcomes.values()];
    const read = outcomes.reduce((sum, { count }) => sum + count, 0);
    return { name: this.#name, read, outcomes };
  }
}

type CountedOutcome = Outcome & { count: number };

function isSame(a: Outcome, b: Outcome): boolean {
  return a.kind === b.kind && a.to === b.to && a.why === b.why;
}

function getOrPut<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  const found = map.get(key);
  if (found !== undefined) return found;
  const value = make();
  map.set(key, value);
  return value;
}
