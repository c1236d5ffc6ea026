import { describe, expect, test } from "vitest";
import { canonicalValue, sameValue } from "../../../src/domain/bridges/field-values.ts";

describe("a field's value of a connector", () => {
  test.each([
    [{ kind: "null" }, { kind: "null" }],
    [
      { kind: "date", value: "2028-02-29" },
      { kind: "date", value: "2028-02-29" },
    ],
    [
      { kind: "local_datetime", value: "2026-03-29T02:30:00", timezone: "Europe/Berlin" },
      { kind: "local_datetime", value: "2026-03-29T02:30:00", timezone: "Europe/Berlin" },
    ],
    [
      { kind: "instant", value: "2026-03-29T02:30:00Z" },
      { kind: "instant", value: "2026-03-29T02:30:00.000Z" },
    ],
    [
      { kind: "instant", value: "2026-03-29T02:30:00.5Z", more: 1 },
      { kind: "instant", value: "2026-03-29T02:30:00.500Z" },
    ],
  ])("%j is taken as %j", (given, value) => {
    expect(canonicalValue(given)).toEqual(value);
  });

  test.each([
    [undefined],
    [null],
    ["2026-01-01"],
    [{ kind: "null", value: "2026-01-01" }],
    [{ kind: "text", value: "2026-01-01" }],
    [{ kind: "date" }],
    [{ kind: "date", value: "2026-02-30" }],
    [{ kind: "date", value: "2026-02-03T00:00:00" }],
    [{ kind: "date", value: "2026-02-03", timezone: "Europe/Berlin" }],
    [{ kind: "local_datetime", value: "2026-02-03T10:00:00" }],
    [{ kind: "local_datetime", value: "2026-02-03T10:00", timezone: "Europe/Berlin" }],
    [{ kind: "local_datetime", value: "2026-02-03T10:00:00", timezone: "europe/berlin" }],
    [{ kind: "local_datetime", value: "2026-02-03T10:00:00Z", timezone: "Europe/Berlin" }],
    [{ kind: "instant", value: "2026-02-03T10:00:00" }],
    [{ kind: "instant", value: "2026-02-03T10:00:00+01:00" }],
    [{ kind: "instant", value: "2026-02-03T10:00:00.0000Z" }],
    [{ kind: "instant", value: "2026-02-03T10:00Z" }],
  ])("%j is refused", (given) => {
    expect(canonicalValue(given)).toBeUndefined();
  });

  test("two local times are the same value only in the same zone", () => {
    const at = { kind: "local_datetime", value: "2026-02-03T10:00:00" } as const;
    const berlin = { ...at, timezone: "Europe/Berlin" };
    expect(sameValue(berlin, { ...berlin })).toBe(true);
    expect(sameValue(berlin, { ...at, timezone: "Europe/Paris" })).toBe(false);
    expect(sameValue({ kind: "null" }, { kind: "null" })).toBe(true);
    expect(sameValue({ kind: "null" }, berlin)).toBe(false);
  });
});
