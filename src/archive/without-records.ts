import type { StoredEvent } from "../contract/events.ts";
import { moveOf } from "../domain/evolve/places.ts";
import { idempotencyOf } from "../domain/idempotency.ts";
import type { KeyedMap, Maps } from "../domain/maps.ts";
import { rowKey } from "../domain/memory.ts";
import { compareEvents, type Place } from "../domain/order.ts";
import type { FormerRow, IdempotencyRow } from "../domain/state.ts";
import { placeOf } from "../domain/whole-fold.ts";
import type { RestoreRow } from "../store/admin-store.ts";

/**
 * Yields the rows of an export, and then the rows that an export leaves out because its events tell them: idempotency
 * keys and former short ids.
 */
export async function* withoutRecords(
  rows: AsyncIterable<RestoreRow>,
  maps: Maps,
): AsyncGenerator<RestoreRow> {
  const [marks, former] = [new LastRows<IdempotencyRow>(maps), new LastRows<FormerRow>(maps)];
  for await (const row of rows) {
    yield row;
    if (row.table !== "event") continue;
    foldFormer(former, row.row);
    const mark = idempotencyOf(row.row);
    // An idempotency key may be used again after it has expired. Keep only its last use, as the fold of the events
    // does.
    if (mark !== undefined) marks.note(rowKey("idempotency", mark), row.row, mark);
  }
  for (const mark of marks.rows()) yield { table: "idempotency", row: mark };
  for (const row of former.rows()) yield { table: "former", row };
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
  readonly #last: KeyedMap<{ readonly place: Place; readonly row: R | null }>;

  constructor(maps: Maps) {
    this.#last = maps.map();
  }

  note(key: string, event: StoredEvent, row: R | null): void {
    const known = this.#last.get(key);
    if (known !== undefined && compareEvents(known.place, event) > 0) return;
    this.#last.set(key, { place: placeOf(event), row });
  }

  *rows(): Generator<R> {
    for (const { row } of this.#last.values()) if (row !== null) yield row;
  }
}
