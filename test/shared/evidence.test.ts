import { expect, test } from "vitest";
import {
  evidenceItems,
  evidenceText,
  readEvidence,
  storedEvidence,
} from "../../src/shared/evidence.ts";

test("all reviewed paths become one item, at the position of the first", () => {
  expect(
    evidenceItems([
      { type: "commit", value: "1f2e3d4" },
      { type: "reviewed-paths", value: "a.ts" },
      { type: "test", value: "npm test" },
      { type: "reviewed-paths", value: "b,c.ts" },
    ]),
  ).toEqual([
    { type: "commit", sha: "1f2e3d4" },
    { type: "reviewed-paths", paths: ["a.ts", "b,c.ts"] },
    { type: "test", command: "npm test" },
  ]);
  expect(evidenceItems([])).toEqual([]);
});

test.each([
  ["pr:https://x/1", { type: "pr", value: "https://x/1" }],
  ["external:", { type: "external", value: "" }],
])("%s is accepted as evidence", (text, evidence) => {
  expect(readEvidence(text)).toEqual(evidence);
  expect(evidenceItems([readEvidence(text)]).map(evidenceText)).toEqual([text]);
});

test.each(["", "commit", ":commit", "toString:x"])(
  "%j is refused with the list of types",
  (text) => {
    expect(() => readEvidence(text)).toThrow("--evidence needs type:value");
  },
);

test("evidence is displayed in any form that a daemon may have stored", () => {
  expect(
    storedEvidence([
      { type: "commit", sha: "1f2e3d4" },
      { type: "reviewed-paths", paths: ["a.ts", "b.ts"] },
      { type: "commit" },
      { type: "of-later", value: 1 },
      { sha: "1f2e3d4" },
      null,
    ]),
  ).toEqual(["commit:1f2e3d4", "reviewed-paths:a.ts,b.ts", "commit", "of-later"]);
  expect(storedEvidence("none")).toEqual([]);
});
