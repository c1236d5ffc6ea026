import { expect, test } from "vitest";
import { createComment } from "../../src/contract/comments.ts";
import { instance } from "../../src/contract/health.ts";
import { removeLabel } from "../../src/contract/labels.ts";
import {
  acquireIssueLease,
  forceReleaseIssueLease,
  releaseIssueLease,
  renewIssueLease,
  takeReadyIssue,
} from "../../src/contract/leases.ts";
import { undoGlobal } from "../../src/contract/undo.ts";
import type { Principal } from "../../src/ops/deps.ts";
import { describeStore } from "../support/store.ts";
import { type OpenStore, world } from "../support/world.ts";

/**
 * A world whose requests come from the actor that `as` named last. The requests themselves name the actor "mallory".
 */
async function shared(open: OpenStore) {
  let who: Principal = { kind: "none", local: true };
  const w = await world({ store: open, authenticate: async () => who });
  return {
    ...w,
    as: (actor: string): void => {
      who = { kind: "db_token", local: false, tokenId: 1, actor };
    },
    asNobody: (): void => {
      who = { kind: "static_token", local: true };
    },
  };
}

describeStore("requests with a credential of an actor", (open) => {
  test("write in that actor's name, whatever the body and query say", async () => {
    const w = await shared(open);
    const issue = await w.given.issue({ labels: ["ui"] });
    const before = (await w.events()).length;
    w.as("bea");
    const body = { body: "mine", actor: "mallory" };
    const { comment } = await w.call(createComment, { params: issue.path, body });
    expect(comment.author).toBe("bea");
    await w.call(removeLabel, {
      params: { ...issue.path, label: "ui" },
      query: { actor: "mallory" },
    });
    const unnamed = { params: issue.path, body: { body: "also mine", actor: "" } };
    await w.call(createComment, unnamed);
    const actors = (await w.events()).slice(before).map(({ actor }) => actor);
    expect(actors).toEqual(["bea", "bea", "bea"]);
  });

  test("get the first answer again if they repeat a request with another actor in the body", async () => {
    const w = await shared(open);
    const issue = await w.given.issue();
    w.as("bea");
    const headers = { "idempotency-key": "k" };
    const send = async (actor: string) =>
      await w.call(createComment, { params: issue.path, headers, body: { body: "once", actor } });
    const first = await send("ann");
    expect(await send("mallory")).toMatchObject({ comment: first.comment, changed: false });
  });

  test("cannot acquire, renew or release a lease in another actor's name", async () => {
    const w = await shared(open);
    const { path: params } = await w.given.issue();
    const timed = { claim_kind: "timed", ttl_seconds: 60 } as const;
    w.as("ann");
    const mine = { params, body: { ...timed, holder: "bea" } };
    expect(await w.call(acquireIssueLease, mine)).toMatchObject({ lease: { holder: "ann" } });
    w.as("bea");
    const taken = { params, body: { ...timed, holder: "ann", actor: "ann" } };
    expect(await w.call(acquireIssueLease, taken)).toMatchObject({ granted: false });
    for (const route of [renewIssueLease, releaseIssueLease])
      expect(await w.refused(route, taken)).toMatchObject({ code: "claim_not_held" });
    const forced = await w.call(forceReleaseIssueLease, { params, body: { actor: "ann" } });
    expect(forced.event).toMatchObject({ actor: "bea" });
  });

  test("take work for that actor, and may undo what other actors did", async () => {
    const w = await shared(open);
    const { path } = await w.given.issue();
    w.as("bea");
    const params = { project_id: path.project_id };
    const taken = await w.call(takeReadyIssue, { params, body: { actor: "mallory" } });
    expect(taken.issue).toMatchObject({ owner: "bea" });
    const body = { of_actor: "ann", since: "2025-12-31T00:00:00Z", actor: "mallory" };
    const undone = await w.call(undoGlobal, { body: { ...body, dry_run: true } });
    expect(undone.of_actor).toBe("ann");
  });

  test("can find out for which actor the credential is", async () => {
    const w = await shared(open);
    w.as("bea");
    expect(await w.call(instance)).toMatchObject({
      auth: { actor: "bea", close_requires_evidence: true },
    });
  });

  test("differ from requests without a credential, which are refused if they name no actor", async () => {
    const w = await shared(open);
    const issue = await w.given.issue();
    w.asNobody();
    const body = { body: "whose?", actor: " " };
    expect(await w.refused(createComment, { params: issue.path, body })).toMatchObject({
      code: "validation",
      message: "actor is required",
      data: { field: "actor" },
    });
  });
});
