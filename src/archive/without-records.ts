import type { StoredEvent } from "../contract/events.ts";
import { moveOf } from "../domain/evolve/places.ts";
import { idempotencyOf } from "../domain/idempotency.ts";
import type { KeyedMap, Maps } from "../domain/maps.ts";
import { rowKey } from "../domain/memory.ts";
import { FoldOrder, type Place } from "../domain/order.ts";
import type { FormerRow, IdempotencyRow } from "../domain/state.ts";
import { placeOf } from "../domain/whole-fold.ts";
import type { RestoreRow } from "../store/admin-store.ts";

/**
 * Yields the rows of an export, and then the rows that an export leaves out because they follow from its events:
 * idempotency keys and former short ids.
 */
export async function* withoutRecords(
  rows: AsyncIterable<RestoreRow>,
  maps: Maps,
): AsyncGenerator<RestoreRow> {
  const [marks, former] = [new LastRows<IdempotencyRow>(maps), new LastRows<FormerRow>(maps)];
  const baselines: Place[] = [];
  for await (const row of rows) {
    yield row;
    if (row.table !== "event") continue;
    if (row.row.type === "project.federation_enabled") baselines.push(placeOf(row.row));
    foldFormer(former, row.row);
    const mark = idempotencyOf(row.row);
    // An idempotency key may be used again after it has expired. Keep only its last use, as the fold of the events
    // does.
    if (mark !== undefined) marks.note(rowKey("idempotency", mark), row.row, mark);
  }
  const order = new FoldOrder(baselines);
  for (const mark of marks.rows(order)) yield { table: "idempotency", row: mark };
  for (const row of former.rows(order)) yield { table: "former", row };
}

/** Adds the former short id of an issue that an event moved, as the fold does. */
function foldFormer(former: LastRows<FormerRow>, event: StoredEvent): void {
  if (event.type !== "issue.moved" || event.issue_uid === undefined) return;
  const { left, entered } = moveOf(event, event.issue_uid);
  former.note(rowKey("former", entered), event, null);
  former.note(rowKey("former", left), event, { ...left, issue_uid: event.issue_uid });
}

/** Rows by their keys, each as the last event in the order of the fold leaves it: a row, or null if it was removed. */
class LastRows<R> {
  readonly #noted: KeyedMap<readonly { readonly place: Place; readonly row: R | null }[]>;

  constructor(maps: Maps) {
    this.#noted = maps.map();
  }

  note(key: string, event: StoredEvent, row: R | null): void {
    this.#noted.set(key, [...(this.#noted.get(key) ?? []), { place: placeOf(event), row }]);
  }

  *rows(order: FoldOrder): Generator<R> {
    for (const noted of this.#noted.values()) {
      const last = noted.reduce((one, other) =>
        order.compare(one.place, other.place) < 0 ? other : one,
      );
      if (last.row !== null) yield last.row;
    }
  }
}
