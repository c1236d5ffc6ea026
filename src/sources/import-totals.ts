import type { ImportSums, importIssues } from "../contract/imports.ts";
import type { Output } from "../contract/route.ts";

type Batch = Output<typeof importIssues>;
type Outcome = Batch["items"][number];
type Conflict = Batch["conflicts"][number];

/**
 * The result of all batches of an import. `items` leaves out the issues that svc already had exactly as in the file.
 */
export interface SendResult extends ImportSums {
  /** Number of issues that differ from the file but were left unchanged, by reason. */
  readonly reasons: Readonly<Record<string, number>>;
}

const STRENGTH = { unchanged: 0, updated: 1, created: 2, deleted: 3 } as const;

/** Adds up the answers to the batches. An issue that is in several answers is counted once. */
export class ImportTotals {
  readonly #items = new Map<string, Outcome>();
  readonly #conflicts = new Map<string, Conflict>();
  readonly #errors = new Set<string>();
  readonly #expected: ReadonlySet<string>;
  #comments = 0;
  #links = 0;

  /**
   * `expected` has the ids of all issues in the file if the import is a dry run, otherwise none. A dry run stores
   * nothing, so the daemon reports the other issue of a link as missing. If the file has that issue, the link counts as
   * made, because the real import would make it.
   */
  constructor(expected: ReadonlySet<string>) {
    this.#expected = expected;
  }

  add({ items, conflicts, comments, links, errors, missing }: Batch): void {
    for (const one of items) this.#items.set(one.external_id, joinOutcomes(this.#items, one));
    for (const one of conflicts) {
      const key = JSON.stringify([one.external_id, one.field]);
      if (!this.#conflicts.has(key)) this.#conflicts.set(key, one);
    }
    const coming = missing.filter(({ target_external_id }) =>
      this.#expected.has(target_external_id),
    );
    // Leave out the errors about links to issues that svc does not have, because the report about the file already
    // lists these links.
    const waiting = new Set(missing.map(({ error }) => error));
    for (const error of errors) if (!waiting.has(error)) this.#errors.add(error);
    this.#comments += comments;
    this.#links += links + coming.length;
  }

  result(): SendResult {
    const items = [...this.#items.values()];
    const countOf = (status: Outcome["status"]): number =>
      items.filter((one) => one.status === status).length;
    const reasons: Record<string, number> = {};
    for (const { status, reason } of items) {
      if (status === "unchanged" && reason !== undefined)
        reasons[reason] = (reasons[reason] ?? 0) + 1;
    }
    return {
      created: countOf("created"),
      updated: countOf("updated"),
      unchanged: countOf("unchanged"),
      deleted: countOf("deleted"),
      comments: this.#comments,
      links: this.#links,
      reasons,
      items: items.filter(({ status, reason }) => status !== "unchanged" || reason !== undefined),
      conflicts: [...this.#conflicts.values()],
      errors: [...this.#errors],
    };
  }
}

function joinOutcomes(known: ReadonlyMap<string, Outcome>, found: Outcome): Outcome {
  const before = known.get(found.external_id);
  if (before === undefined) return found;
  const stronger = STRENGTH[before.status] < STRENGTH[found.status] ? found : before;
  const changed = [...new Set([...(before.changed ?? []), ...(found.changed ?? [])])];
  if (stronger.status !== "updated" || changed.length === 0) return stronger;
  // Leave out `updated_at` if other fields changed too. An issue with links is sent twice, first without the links, and
  // the answer to the first request may name only `updated_at`.
  const reported = changed.length > 1 ? changed.filter((field) => field !== "updated_at") : changed;
  return { ...stronger, changed: reported };
}
