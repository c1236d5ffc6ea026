import { type FoldOrder, PLACE_NUMBERS, type Place } from "./order.ts";

/** The length of an event's uid, which is a ULID. */
const UID_LENGTH = 26;

/**
 * The places of many events, in 86 bytes each, so that a log that does not fit into memory can be sorted. Sorts like
 * `FoldOrder.compareByClock`.
 */
export class PlaceList {
  readonly #order: FoldOrder;
  readonly #origins: string[] = [];
  readonly #numberOf = new Map<string, number>();
  #numbers = new Float64Array(PLACE_NUMBERS * 1024);
  #ids = new Float64Array(1024);
  #originNumbers = new Uint32Array(1024);
  #uids = new Uint8Array(UID_LENGTH * 1024);
  #size = 0;

  /** `order` must know all baselines of the log. */
  constructor(order: FoldOrder) {
    this.#order = order;
  }

  add(place: Place): void {
    if (this.#size === this.#ids.length) this.#grow();
    const at = this.#size;
    const { id, uid } = place;
    this.#numbers.set(this.#order.numbersOf(place), at * PLACE_NUMBERS);
    this.#ids[at] = id;
    this.#originNumbers[at] = this.#originNumber(place.origin_instance_uid);
    for (let byte = 0; byte < UID_LENGTH; byte += 1)
      this.#uids[at * UID_LENGTH + byte] = uid.charCodeAt(byte);
    this.#size += 1;
  }

  /**
   * Yields the ids of the events in the order in which they are folded. If an event was added twice, its id comes once.
   */
  *sortedIds(): Generator<number> {
    const positions = new Uint32Array(this.#size);
    for (let at = 0; at < this.#size; at += 1) positions[at] = at;
    positions.sort((left, right) => this.#compare(left, right));
    let last: number | undefined;
    for (const at of positions) {
      if (last === undefined || this.#compare(last, at) !== 0) yield this.#ids[at] ?? 0;
      last = at;
    }
  }

  #compare(left: number, right: number): number {
    const numbers = this.#numbers;
    for (let column = 0; column < PLACE_NUMBERS; column += 1) {
      const difference =
        (numbers[left * PLACE_NUMBERS + column] ?? 0) -
        (numbers[right * PLACE_NUMBERS + column] ?? 0);
      if (difference !== 0) return difference;
    }
    const [one, other] = [this.#originOf(left), this.#originOf(right)];
    if (one !== other) return one < other ? -1 : 1;
    for (let byte = 0; byte < UID_LENGTH; byte += 1) {
      const difference =
        (this.#uids[left * UID_LENGTH + byte] ?? 0) - (this.#uids[right * UID_LENGTH + byte] ?? 0);
      if (difference !== 0) return difference;
    }
    return 0;
  }

  #originOf(at: number): string {
    return this.#origins[this.#originNumbers[at] ?? 0] ?? "";
  }

  #originNumber(origin: string): number {
    const known = this.#numberOf.get(origin);
    if (known !== undefined) return known;
    this.#origins.push(origin);
    this.#numberOf.set(origin, this.#origins.length - 1);
    return this.#origins.length - 1;
  }

  #grow(): void {
    const count = this.#ids.length * 2;
    this.#numbers = grown(this.#numbers, new Float64Array(count * PLACE_NUMBERS));
    this.#ids = grown(this.#ids, new Float64Array(count));
    this.#originNumbers = grown(this.#originNumbers, new Uint32Array(count));
    this.#uids = grown(this.#uids, new Uint8Array(count * UID_LENGTH));
  }
}

function grown<A extends Float64Array | Uint32Array | Uint8Array>(old: A, larger: A): A {
  larger.set(old);
  return larger;
}
