import { describe, expect, test } from "vitest";
import { parseRef } from "../../src/domain/refs.ts";
import { shortIds } from "../../src/domain/short-id.ts";

const UID = "01JZ9ABCDEFGHJKMNPQRSTAB3D";

describe("a ref", () => {
  test.each([
    ["ab3d", { kind: "short_id", short_id: "ab3d" }],
    ["AB3D", { kind: "short_id", short_id: "ab3d" }],
    ["web#ab3d", { kind: "qualified", project: "web", short_id: "ab3d" }],
    ["a#b#AB3D", { kind: "qualified", project: "a#b", short_id: "ab3d" }],
    ["web#1234", { kind: "qualified", project: "web", short_id: "1234" }],
    [UID, { kind: "uid", uid: UID }],
    [UID.toLowerCase(), { kind: "uid", uid: UID }],
    [UID.slice(1).toLowerCase(), { kind: "short_id", short_id: UID.slice(1).toLowerCase() }],
  ])("%s is parsed", (text, expected) => {
    expect(parseRef(text)).toEqual(expected);
  });

  test.each(["", "12", "1234", "#ab3d", "web#", "ab-3d", "ab 3d", "../ab3d", `${UID}Z`])(
    "%j names no issue",
    (text) => {
      expect(parseRef(text)).toBeUndefined();
    },
  );
});

describe("the short ids that an issue may get", () => {
  test("begin with the last four characters of the uid and end with the whole uid", () => {
    const all = [...shortIds(UID)];
    expect(all.slice(0, 3)).toEqual(["ab3d", "tab3d", "stab3d"]);
    expect(all).toHaveLength(23);
    expect(all.at(-1)).toBe(UID.toLowerCase());
  });

  test("never consist of digits only, since an integer is no ref", () => {
    const [first, second] = shortIds("01JZ9ABCDEFGHJKMNPQRS41234");
    expect([first, second]).toEqual(["s41234", "rs41234"]);
  });
});
