import { expect, test } from "vitest";
import { EXIT_CODES } from "../../../src/cli/failure/failure.ts";
import { storageTargets } from "../../../src/cli/flags/storage-targets.ts";

test("--storage-target accepts an alias with a path or with a DSN", () => {
  const given = ["copy=/srv/copy.db", "x.y_z-1=postgres://u:secret@h/d"];
  expect(storageTargets(given)).toEqual(given);
  expect(storageTargets()).toEqual([]);
});

test.each([
  ["/srv/copy.db"],
  ["=/srv/copy.db"],
  ["co py=/srv/copy.db"],
  ["copy="],
  ["a/b=postgres://u:secret@h/d"],
  ["copy=/one", "copy=/two"],
])(
  "--storage-target with the values %j and %j is a usage error that does not repeat the DSN",
  (...given) => {
    expect(EXIT_CODES.usage).toBe(2);
    const failure = expect.objectContaining({ kind: "usage" });
    const message = expect.not.stringContaining("secret");
    expect(() => storageTargets(given.filter((text) => text !== undefined))).toThrow(
      expect.objectContaining({ failure, message }),
    );
  },
);
