import { describe, expect, test } from "vitest";
import { type BuildInfo, verdictOn } from "../../src/client/succession.ts";

const OWN: BuildInfo = {
  version: "1.2.0",
  commit: "c",
  built_at: "2026-05-02T00:00:00.000Z",
  schema_version: 31,
  api_schema_version: "0.14.0",
};

describe("a client that meets a daemon of another build", () => {
  test.each<[string, Partial<BuildInfo>, string]>([
    ["the same build", {}, "use"],
    ["an older version", { version: "1.1.9" }, "replace"],
    [
      "an older version that says no more",
      {
        version: "1.1.9",
        built_at: undefined,
        schema_version: undefined,
        api_schema_version: undefined,
      },
      "replace",
    ],
    ["a newer version", { version: "1.2.1" }, "use"],
    ["a newer version with a newer API", { version: "2.0.0", api_schema_version: "0.17.0" }, "use"],
    [
      "a newer version with another API",
      { version: "2.0.0", api_schema_version: "1.0.0" },
      "refuse",
    ],
    ["an earlier build of the version", { built_at: "2026-05-01T23:59:59.999Z" }, "replace"],
    ["a later build of the version", { built_at: "2026-05-02T00:00:00.001Z" }, "use"],
    ["a build that does not say when", { built_at: undefined }, "use"],
    ["a build from its source", { built_at: "" }, "use"],
    ["an older version with a newer storage", { version: "1.1.0", schema_version: 32 }, "use"],
    [
      "an older version with a newer storage and an older API",
      { version: "1.1.0", schema_version: 32, api_schema_version: "0.13.9" },
      "refuse",
    ],
    ["an older version with this storage", { version: "1.1.0", schema_version: 31 }, "replace"],
    [
      "a later build with an older API",
      { built_at: "2027-01-01T00:00:00.000Z", api_schema_version: "0.13.0" },
      "refuse",
    ],
  ])("decides what to do with %s (%j): %s", (_, running, verdict) => {
    expect(verdictOn({ ...OWN, ...running }, OWN)).toBe(verdict);
  });

  test("two different builds never replace each other", () => {
    const versions = ["1.1.0", "1.2.0-rc.1", "1.2.0", "1.10.0"];
    const times = ["", "2026-05-01T00:00:00.000Z", "2026-05-02T00:00:00.000Z"];
    const schemas = [30, 31];
    const builds = versions.flatMap((version) =>
      times.flatMap((built_at) =>
        schemas.map((schema_version) => ({ ...OWN, version, built_at, schema_version })),
      ),
    );
    for (const a of builds)
      for (const b of builds)
        expect([verdictOn(a, b), verdictOn(b, a)]).not.toEqual(["replace", "replace"]);
  });
});
