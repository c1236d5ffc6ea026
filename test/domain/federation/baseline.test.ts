import { expect, test } from "vitest";
import { laterObservation, snapshotOfIssue } from "../../../src/domain/federation/baseline.ts";
import { issueRow, linkRow } from "../rows.ts";

const AT = "2026-03-03T00:00:00.000Z";

type Clock = readonly [physical_ms: number, counter: number, uid: string];

test.each<[string, Clock, Clock]>([
  ["the later time", [1, 0, "B"], [2, 0, "A"]],
  ["the later time, compared as a number", [9, 0, "B"], [10, 0, "A"]],
  ["the higher counter at one time", [1, 1, "B"], [1, 2, "A"]],
  ["the larger uid at one clock", [1, 1, "A"], [1, 1, "B"]],
])("of two observations of a run, the one with %s counts as the last", (_, early, late) => {
  const [one, other] = [observation(...early), observation(...late)];
  expect(laterObservation(one, other)).toBe(other);
  expect(laterObservation(other, one)).toBe(other);
  expect(laterObservation(undefined, one)).toBe(one);
});

test("equal rows give equal snapshots, in whatever order they are read", () => {
  const label = (name: string) => ({ issue_uid: "A", label: name, author: "ann", created_at: AT });
  const comment = (uid: string, created_at: string) => {
    return { uid, issue_uid: "A", author: "ann", body: uid, created_at, teammate: null };
  };
  const source = (external_id: string) => {
    return { project_uid: "P", source: "s", external_id, issue_uid: "A", imported_at: AT };
  };
  const whole = {
    issue: issueRow("A"),
    labels: [label("b"), label("a")],
    links: [linkRow("A", "parent", "C"), linkRow("A", "blocks", "C"), linkRow("A", "blocks", "B")],
    comments: [comment("K2", AT), comment("K1", AT), comment("K3", "2026-01-01T00:00:00.000Z")],
    imports: [source("2"), source("1"), { ...source("3"), project_uid: "Q" }],
    root: { issue_uid: "A", binding_uid: "R", connector_instance: "notes", enabled: 1 as const },
  };
  const turned = {
    issue: whole.issue,
    labels: whole.labels.toReversed(),
    links: whole.links.toReversed(),
    comments: whole.comments.toReversed(),
    imports: whole.imports.toReversed(),
    root: whole.root,
  };
  const snapshot = snapshotOfIssue(whole, { actor: "ann" });
  expect(snapshotOfIssue(turned, { actor: "bea" })).toEqual({
    ...snapshot,
    names: expect.arrayContaining(["B", "C"]) as string[],
  });
  expect(snapshot).toMatchObject({ type: "issue.snapshot", issue_uid: "A", names: ["C", "B"] });
  const payload: unknown = JSON.parse(snapshot.payload);
  expect(payload).toMatchObject({
    labels: [{ label: "a" }, { label: "b" }],
    links: [{ to_issue_uid: "B" }, { to_issue_uid: "C" }, { type: "parent" }],
    comments: [{ comment_uid: "K3" }, { comment_uid: "K1" }, { comment_uid: "K2" }],
    // An id that the issue has in another project stays there.
    sources: [{ external_id: "1" }, { external_id: "2" }],
  });
});

function observation(physical_ms: number, counter: number, observation_event_uid: string) {
  const clock = { version: 1, physical_ms, counter, origin_instance_uid: "I" } as const;
  return { observation_event_uid, observation_hlc: clock };
}
