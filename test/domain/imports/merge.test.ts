import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { JsonValue } from "../../../src/base/json.ts";
import {
  applied,
  differences,
  type FieldChanges,
  type Fields,
  mergeFields,
  type Side,
} from "../../../src/domain/imports/merge.ts";

/** The same seed each time, unless SVC_MERGE_SEED gives another. */
const SEED = Number(process.env["SVC_MERGE_SEED"] ?? 1);

const NAMES = [
  "title",
  "body",
  "owner",
  "metadata.estimate",
  "label.ui",
  "label.bug",
  "parent",
  "blocks.A",
  "blocked_by.A",
  "related.B",
  "comment.1",
];
const value: fc.Arbitrary<JsonValue> = fc.oneof(
  fc.constantFrom("one", "two", "three"),
  fc.integer({ min: 0, max: 2 }),
  fc.constantFrom({ a: 1, b: [2] }, { b: [2], a: 1 }),
);
/** The status and the time of the close change together. */
const status = fc.constantFrom<readonly (readonly [string, JsonValue])[]>(
  [["status", "open"]],
  [
    ["status", "closed done"],
    ["closed_at", "T1"],
  ],
  [
    ["status", "closed done"],
    ["closed_at", "T2"],
  ],
  [
    ["status", "closed wontfix"],
    ["closed_at", "T2"],
  ],
);
const side: fc.Arbitrary<Fields> = fc
  .tuple(status, fc.dictionary(fc.constantFrom(...NAMES), value))
  .map(([ended, rest]) => new Map([...ended, ...Object.entries(rest)]));
/** Changes of some fields; the status changes only together with the time of the close. */
const edits = fc.tuple(
  fc.option(status, { nil: undefined }),
  fc.dictionary(fc.constantFrom(...NAMES), fc.option(value, { nil: undefined })),
);

const undecided = () => undefined;
const of = (chosen: Side) => () => chosen;
const plain = (fields: Fields | FieldChanges) =>
  Object.fromEntries([...fields].sort(([left], [right]) => (left < right ? -1 : 1)));

function edited(
  fields: Fields,
  [ended, rest]: readonly [
    readonly (readonly [string, JsonValue])[] | undefined,
    Readonly<Record<string, JsonValue | undefined>>,
  ],
): Fields {
  const closing = ended === undefined ? [] : [["closed_at", undefined] as const, ...(ended ?? [])];
  return applied(fields, new Map([...closing, ...Object.entries(rest)]));
}

function check(holds: (base: Fields, local: Fields, upstream: Fields) => void): void {
  fc.assert(fc.property(side, side, side, holds), { seed: SEED, numRuns: 500 });
}

describe(`a merge of an import (seed ${SEED})`, () => {
  test("changes nothing if upstream changed nothing", () => {
    check((base, local) => {
      const merge = mergeFields(base, local, base, undecided);
      expect(plain(merge.changes)).toEqual({});
      expect(merge.conflicts).toEqual([]);
      expect(plain(merge.base)).toEqual(plain(base));
    });
  });

  test("takes the upstream state if nothing changed in svc", () => {
    check((base, upstream) => {
      const { changes, conflicts } = mergeFields(base, base, upstream, undecided);
      expect(conflicts).toEqual([]);
      expect(plain(applied(base, changes))).toEqual(plain(upstream));
    });
  });

  test("combines edits of different fields, whichever side made them", () => {
    fc.assert(
      fc.property(side, edits, edits, (base, first, [ended, rest]) => {
        const others = Object.entries(rest).filter(([name]) => !Object.hasOwn(first[1], name));
        const second = [first[0] === undefined ? ended : undefined, Object.fromEntries(others)];
        const [one, two] = [edited(base, first), edited(base, second as typeof first)];
        const merged = (local: Fields, upstream: Fields) => {
          const { changes, conflicts } = mergeFields(base, local, upstream, undecided);
          expect(conflicts).toEqual([]);
          return plain(applied(local, changes));
        };
        expect(merged(one, two)).toEqual(merged(two, one));
        expect(merged(one, two)).toEqual(
          plain(edited(edited(base, first), second as typeof first)),
        );
      }),
      { seed: SEED, numRuns: 500 },
    );
  });

  test("changes nothing when repeated, and names the same conflicts until they are decided", () => {
    check((base, local, upstream) => {
      const first = mergeFields(base, local, upstream, undecided);
      const here = applied(local, first.changes);
      const again = mergeFields(first.base, here, upstream, undecided);
      expect(plain(again.changes)).toEqual({});
      expect(again.conflicts).toEqual(first.conflicts);
      expect(plain(again.base)).toEqual(plain(first.base));
      for (const { field, local: ours } of first.conflicts) {
        expect(here.get(field)).toEqual(ours);
      }
    });
  });

  test.each(["local", "upstream"] as const)(
    "leaves no conflict behind if it is decided for %s",
    (chosen) => {
      check((base, local, upstream) => {
        const { changes, conflicts, base: next } = mergeFields(base, local, upstream, of(chosen));
        const here = applied(local, changes);
        for (const { field, local: ours, upstream: theirs } of conflicts) {
          expect(here.get(field)).toEqual(chosen === "local" ? ours : theirs);
        }
        expect(plain(next)).toEqual(plain(upstream));
        const again = mergeFields(next, here, upstream, undecided);
        expect([plain(again.changes), again.conflicts]).toEqual([{}, []]);
      });
    },
  );

  test("gives the same result if it is applied in two halves, in any order", () => {
    fc.assert(
      fc.property(side, side, side, fc.func(fc.boolean()), (base, local, upstream, isFirst) => {
        const whole = mergeFields(base, local, upstream, undecided);
        for (const first of [true, false]) {
          // A field that is not in this half has the value of the last import.
          const early = new Map(
            [...differences(base, upstream)].filter(
              ([field]) => isFirst(field === "closed_at" ? "status" : field) === first,
            ),
          );
          const half = mergeFields(base, local, applied(base, early), undecided);
          const between = applied(local, half.changes);
          const rest = mergeFields(half.base, between, upstream, undecided);
          expect(plain(applied(between, rest.changes))).toEqual(
            plain(applied(local, whole.changes)),
          );
          expect(rest.conflicts).toEqual(whole.conflicts);
          expect(plain(rest.base)).toEqual(plain(whole.base));
        }
      }),
      { seed: SEED, numRuns: 500 },
    );
  });

  test("turns one side into the other when it applies their differences", () => {
    check((from, to) => {
      expect(plain(applied(from, differences(from, to)))).toEqual(plain(to));
      expect([...differences(to, to)]).toEqual([]);
    });
  });

  test("closes an issue at upstream's time only if the issue is closed as upstream closed it", () => {
    const open: Fields = new Map([["status", "open"]]);
    const closed = (how: string, at: string): Fields =>
      new Map([
        ["status", `closed ${how}`],
        ["closed_at", at],
      ]);
    const merged = (local: Fields, upstream: Fields, chosen?: Side) =>
      plain(applied(local, mergeFields(open, local, upstream, () => chosen).changes));
    expect(merged(open, closed("done", "T1"))).toEqual(plain(closed("done", "T1")));
    expect(merged(closed("done", "T2"), closed("done", "T1"))).toEqual(plain(closed("done", "T2")));
    const [ours, theirs] = [closed("wontfix", "T2"), closed("done", "T1")];
    expect(merged(ours, theirs)).toEqual(plain(ours));
    expect(merged(ours, theirs, "local")).toEqual(plain(ours));
    expect(merged(ours, theirs, "upstream")).toEqual(plain(theirs));
  });
});
