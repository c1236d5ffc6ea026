import { describe, expect, test } from "vitest";
import type { EventDraft } from "../../../src/contract/events.ts";
import { asBoundActor, authorsIn, writerOf } from "../../../src/domain/federation/bound-actor.ts";

function draft(type: string, payload: object, actor = "agent-7"): EventDraft {
  return { type, actor, project_uid: "P", issue_uid: "I", payload } as unknown as EventDraft;
}

describe("an event of a copy that sends its events", () => {
  test("an event has the bound actor as its actor, and keeps the name of who wrote it", () => {
    const written = asBoundActor(draft("issue.labeled", { label: "bug", updated_at: "t" }), "sam");
    expect(written).toMatchObject({ actor: "sam", local_actor: "agent-7" });
    expect(writerOf(written)).toBe("agent-7");
  });

  test("an event that the bound actor wrote has no second name of a writer", () => {
    const written = asBoundActor(draft("issue.labeled", { label: "bug" }, "sam"), "sam");
    expect(written.actor).toBe("sam");
    expect(written).not.toHaveProperty("local_actor");
    expect(writerOf(written)).toBe("sam");
  });

  test.each([
    [
      "issue.created",
      { author: "agent-7", owner: "ann", links: [{ author: "ann", type: "blocks" }] },
    ],
    ["issue.commented", { author: "ann", body: "hello", teammate: "ben" }],
    ["issue.labeled", { label: "bug", author: "ann" }],
    ["issue.links_changed", { author: "ann", parent_set: "P-1" }],
    [
      "issue.snapshot",
      {
        author: "a",
        labels: [{ author: "b" }],
        links: [{ author: "c" }],
        comments: [{ author: "d" }],
      },
    ],
  ])("the payload of %s names no author but the bound actor", (type, payload) => {
    const { payload: written } = asBoundActor(draft(type, payload), "sam");
    expect(new Set(authorsIn(written as never))).toEqual(new Set(["sam"]));
  });

  test("an event keeps its owner, its teammate, and labels and links without an author unchanged", () => {
    const payload = {
      author: "x",
      owner: "ann",
      teammate: "ben",
      labels: ["bug"],
      links: [{ type: "blocks" }],
    };
    expect(asBoundActor(draft("issue.created", payload), "sam").payload).toEqual({
      ...payload,
      author: "sam",
    });
  });

  test("an event of a new job names the bound actor as the author, and an event of a changed job keeps the author", () => {
    const definition = { uid: "J", author: "ann" };
    expect(asBoundActor(draft("cron.job.created", definition), "sam").payload).toEqual({
      uid: "J",
      author: "sam",
    });
    expect(asBoundActor(draft("cron.job.updated", definition), "sam").payload).toEqual(definition);
  });
});
