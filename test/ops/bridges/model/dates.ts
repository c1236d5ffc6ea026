import { fieldOfIssue } from "../../../../src/domain/bridges/field-of-issue.ts";
import type { FieldValue } from "../../../../src/domain/bridges/values.ts";
import type { Bridged } from "../bridged.ts";
import { NONE } from "../provider.ts";

export const FIELDS = { deadline_on: "due", scheduled_on: "start" } as const;
export type Field = keyof typeof FIELDS;
export const FIELD_NAMES = ["deadline_on", "scheduled_on"] as const satisfies readonly Field[];
export type Side = "here" | "there";
const SIDES = ["here", "there"] as const;

const EMPTY = textOf(NONE);

interface Known {
  readonly value: Record<Side, string>;
  /** Whether a person set the value of this side and the other side never had it. */
  readonly isOwn: Record<Side, boolean>;
  /** The value that both sides had last. */
  agreed: string;
}

/**
 * All values that the mapped dates of an issue and its root ever had. A value that a person set on one side must not be
 * replaced by the bridge before the other side had it, unless a person resolves a conflict.
 */
export class Dates {
  readonly faults: string[] = [];
  /** The field and the side whose value a person gives up now. */
  givenUp: { readonly field: Field; readonly side: Side } | undefined;
  readonly #b: Bridged;
  readonly #known: Readonly<Record<Field, Known>>;
  readonly #held = new Set<string>([EMPTY]);

  constructor(b: Bridged) {
    this.#b = b;
    const empty = (): Known => ({
      value: { here: EMPTY, there: EMPTY },
      isOwn: { here: false, there: false },
      agreed: EMPTY,
    });
    this.#known = { deadline_on: empty(), scheduled_on: empty() };
  }

  /** Notes what the bridge changed since the last look. */
  async look(): Promise<void> {
    const { metadata } = await this.#b.shown();
    const there = this.#b.provider.hidden ?? this.#b.provider.record("r");
    for (const field of FIELD_NAMES) {
      const here = fieldOfIssue(metadata, field, "UTC");
      const now = {
        here: here === undefined ? "no date" : textOf(here),
        there: textOf(there.fields.get(FIELDS[field]) ?? NONE),
      };
      for (const side of SIDES)
        if (now[side] !== this.#known[field].value[side]) this.#replaced(field, side, now[side]);
      this.#compare(field);
    }
  }

  #replaced(field: Field, side: Side, value: string): void {
    const found = this.#known[field];
    const { value: known, isOwn } = found;
    const { givenUp } = this;
    const isGivenUp = givenUp?.field === field && givenUp.side === side;
    if (isOwn[side] && !isGivenUp)
      this.faults.push(`${field} ${side}: ${known[side]} was lost, ${value} came`);
    if (!this.#held.has(value)) this.faults.push(`${field} ${side}: nobody set ${value}`);
    known[side] = value;
    isOwn[side] = false;
    found.agreed = value;
  }

  #compare(field: Field): void {
    const known = this.#known[field];
    if (known.value.here !== known.value.there) return;
    Object.assign(known.isOwn, { here: false, there: false });
    known.agreed = known.value.here;
  }

  /** The value that both sides had last. */
  agreedOn(field: Field): FieldValue {
    const { agreed } = this.#known[field];
    if (agreed === EMPTY) return NONE;
    return { kind: agreed.includes("T") ? "instant" : "date", value: agreed };
  }

  /** Notes a value that a person set. Before the first merge, an empty side has nothing to lose. */
  set(field: Field, side: Side, to: FieldValue, isMerged: boolean): void {
    const { value, isOwn, agreed } = this.#known[field];
    const text = textOf(to);
    if (value[side] === text) return;
    this.#held.add(text);
    value[side] = text;
    isOwn[side] = text !== (isMerged ? agreed : EMPTY);
    this.#compare(field);
  }

  /** A merge without a value that both sides had: each side that is not empty has something to lose. */
  beginMerge(field: Field): void {
    const { value, isOwn } = this.#known[field];
    for (const side of SIDES) isOwn[side] = value[side] !== EMPTY;
    this.#compare(field);
  }

  /** Adds a fault for each date that differs. */
  checkEqual(): void {
    for (const field of FIELD_NAMES) {
      const { here, there } = this.#known[field].value;
      if (here !== there) this.faults.push(`${field}: here ${here}, there ${there}`);
    }
  }
}

function textOf(value: FieldValue): string {
  return value.kind === "null" ? "empty" : value.value;
}
