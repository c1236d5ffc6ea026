import { describe, expect, test } from "vitest";
import { redacted } from "../../src/mcp/tools/activity/redaction.ts";

const NEAR = "01JNEAR0000000000000000000";
const FAR = "01JFAR00000000000000000000";
const insight = { uids: new Set([NEAR]), projects: new Set(["web"]), kinds: new Set<string>() };

describe("a payload that names an issue out of scope loses only this name", () => {
  test.each([
    [
      "issue.closed",
      {
        reason: "duplicate",
        evidence: [
          { type: "duplicate-of", issue_ref: FAR.toLowerCase() },
          { type: "duplicate-of", issue_ref: "api#ab3d" },
          { type: "superseded-by", issue_ref: NEAR },
          { type: "superseded-by", issue_ref: "web#ab3d" },
          { type: "commit", sha: "1f2e3d4" },
        ],
        parent_uid: FAR,
        parent_short_id: "ab3d",
      },
      {
        reason: "duplicate",
        evidence: [
          { type: "duplicate-of" },
          { type: "duplicate-of" },
          { type: "superseded-by", issue_ref: NEAR },
          { type: "superseded-by", issue_ref: "web#ab3d" },
          { type: "commit", sha: "1f2e3d4" },
        ],
      },
    ],
    [
      "issue.closed",
      { parent_uid: NEAR, parent_short_id: "ab3d", evidence: [] },
      { parent_uid: NEAR, parent_short_id: "ab3d", evidence: [] },
    ],
    [
      "issue.closed",
      { parent_uid: "", parent_short_id: "" },
      { parent_uid: "", parent_short_id: "" },
    ],
    [
      "issue.created",
      { title: "x", links: [{ to_issue_uid: FAR }, { to_issue_uid: NEAR }] },
      { title: "x", links: [{ to_issue_uid: NEAR }] },
    ],
    [
      "issue.unlinked",
      {
        from_short_id: "a",
        from_uid: NEAR,
        link_from_uid: NEAR,
        to_short_id: "b",
        to_uid: FAR,
        link_to_uid: FAR,
      },
      { from_short_id: "a", from_uid: NEAR, link_from_uid: NEAR },
    ],
    [
      "issue.links_changed",
      {
        author: "ann",
        parent_set: "a",
        parent_set_uid: FAR,
        blocks_added: ["b", "c"],
        blocks_added_uids: [FAR, NEAR],
        related_removed: ["d"],
      },
      {
        author: "ann",
        blocks_added: ["c"],
        blocks_added_uids: [NEAR],
        related_removed: [],
      },
    ],
    [
      "close.throttled",
      { reason: "sibling-burst", parent: FAR, cohort: [FAR, NEAR], prior: NEAR },
      { reason: "sibling-burst", cohort: [NEAR], prior: NEAR },
    ],
    ["project.merged", { source_uid: FAR, source_name: "api" }, {}],
    ["issue.labeled", { label: FAR }, { label: FAR }],
  ])(
    "a payload of %s loses only the name of the issue out of scope, case %#",
    (type, payload, shown) => {
      expect(JSON.parse(JSON.stringify(redacted(type, payload, insight)))).toEqual(shown);
    },
  );
});
