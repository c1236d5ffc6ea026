/** An outcome that several values of one kind share. */
export interface Outcome {
  readonly kind: "kept" | "mapped" | "dropped";
  /** Where the value went in svc; absent if it was dropped. */
  readonly to?: string;
  /** Why it was dropped or changed. */
  readonly why?: string;
}

/** The reason (`why`) that the account gives for all values of an issue that the source has deleted. */
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

/** One kind of value that was read. The counts of its outcomes add up to `read`, so nothing is lost silently. */
export interface AccountRow {
  readonly name: string;
  readonly read: number;
  readonly outcomes: readonly (Outcome & { readonly count: number })[];
}

/**
 * The report of an import: what the file contains, and what became of each part. Values are listed in the order of
 * their first use, with the oldest issues read first.
 */
export type Account = { readonly [S in Section]: readonly AccountRow[] } & {
  readonly format: string;
  /** Number of records. */
  readonly records: number;
  /** Records that are issues, tombstones included. */
  readonly issues: number;
  /** The ids of issues left out because the mapping file ignores their type. */
  readonly no_work?: readonly { readonly type: string; readonly ids: readonly string[] }[];
  /** Only with a mapping file: words of the source that no rule names. */
  readonly unmapped?: Readonly<Record<"statuses" | "types" | "links", readonly string[]>>;
  /** Issues that the import takes over. */
  readonly kept: number;
  /** Issues left out because the source had deleted them. */
  readonly tombstones: number;
  /** Earlier copies of an issue that the file contains more than once. */
  readonly superseded: number;
  /** The files that were read, if a source has several. */
  readonly files?: readonly AccountRow[];
  /** Number of records that are not issues, by their kind. */
  readonly other_records: Readonly<Record<string, number>>;
  /** Labels that are spelled differently in the file and become the same label in svc. */
  readonly label_collisions: readonly {
    readonly label: string;
    readonly from: readonly string[];
  }[];
  /** Number of links that the edges became. */
  readonly links: { readonly parent: number; readonly blocks: number; readonly related: number };
};

export interface Tally {
  add(section: Section, name: string, outcome: Outcome): void;
  rows(section: Section): readonly AccountRow[];
}

export function tally(): Tally {
  const sections = new Map<Section, Map<string, Row>>();
  return {
    add(section, name, outcome) {
      const rows = getOrPut(sections, section, () => new Map());
      const row = getOrPut(rows, name, () => ({ outcomes: new Map(), last: undefined }));
      // Fast path: most values have the same outcome as the previous one, and a file has a dozen values per issue.
      if (row.last === undefined || !isSame(row.last, outcome)) {
        const key = `${outcome.kind}\u0001${outcome.to}\u0001${outcome.why}`;
        row.last = getOrPut(row.outcomes, key, () => ({ ...outcome, count: 0 }));
      }
      row.last.count += 1;
    },
    rows(section) {
      return [...(sections.get(section) ?? [])].map(([name, { outcomes }]) => {
        const list = [...outcomes.values()];
        return { name, read: list.reduce((sum, one) => sum + one.count, 0), outcomes: list };
      });
    },
  };
}

type Counted = Outcome & { count: number };

interface Row {
  readonly outcomes: Map<string, Counted>;
  last: Counted | undefined;
}

function isSame(a: Outcome, b: Outcome): boolean {
  return a.kind === b.kind && a.to === b.to && a.why === b.why;
}

function getOrPut<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  const found = map.get(key);
  if (found !== undefined) return found;
  const made = make();
  map.set(key, made);
  return made;
}
