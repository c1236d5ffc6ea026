import { describe, expect, test } from "vitest";
import { call } from "../../src/client/call.ts";
import { createComment } from "../../src/contract/comments.ts";
import { ToolWorld } from "./tools.ts";

type Json = Readonly<Record<string, unknown>>;

/** Two projects; the issue with the highest priority is in the second one. */
async function serve(names: string | readonly string[], actor = "bea") {
  const world = await ToolWorld.open();
  const web = await world.project("web");
  const api = await world.project("api");
  const low = await world.issue(web.id, "a low one", { priority: 3, labels: ["cli"] });
  const high = await world.issue(api.id, "a high one", { priority: 1, body: "What to do." });
  return { world, web, api, low, high, client: await world.serve(names, { actor }) };
}

function titleOf(answer: Json): unknown {
  return (answer["issue"] as Json | undefined)?.["title"];
}

describe("svc.claim without ref", () => {
  test.each([
    ["one project", "web", ["a low one"]],
    ["a list of projects", ["web", "api"], ["a high one", "a low one"]],
    ["all projects", "all", ["a high one", "a low one"]],
  ])("takes the next issue of %s, until none is left", async (_what, names, titles) => {
    const { client } = await serve(names);
    for (const title of titles) {
      const { answer } = await client.call("svc.claim");
      expect(answer).toMatchObject({ changed: true, issue: { title, owner: "bea" } });
      expect(answer).toHaveProperty("project.name");
    }
    expect((await client.call("svc.claim")).answer).toEqual({ changed: false });
  });

  test("answers with the text of the issue: its body, links and comments", async () => {
    const { world, api, low, high, client } = await serve("all");
    const params = { project_id: api.id, ref: high.uid };
    await call(world.client, createComment, {
      params,
      body: { body: "Look first.", actor: "ann" },
    });
    await client.call("svc.edit", { ref: low.qualified_id, add_blocked_by: [high.qualified_id] });
    expect((await client.call("svc.claim")).answer).toMatchObject({
      issue: {
        body: "What to do.",
        links: [{ type: "blocks", qualified_ref: low.qualified_id }],
        comments: [{ author: "ann", body: "Look first." }],
      },
      comments_truncated: false,
      event: { type: "issue.assigned" },
    });
  });

  test("takes only issues of the named project with the named labels", async () => {
    const { client } = await serve("all");
    const named = { project: "web", exclude_labels: ["cli"] };
    expect((await client.call("svc.claim", named)).answer).toEqual({ changed: false });
    const { answer } = await client.call("svc.claim", { labels: ["cli"] });
    expect(titleOf(answer)).toBe("a low one");
  });

  test("returns the same issue again under the same key while the caller holds it", async () => {
    const { client } = await serve("all");
    const first = await client.call("svc.claim", { idempotency_key: "box-1" });
    const again = await client.call("svc.claim", { idempotency_key: "box-1" });
    expect(again.answer).toMatchObject({ reused: true, changed: false });
    expect(titleOf(again.answer)).toBe(titleOf(first.answer));
    const { ref } = first.answer["issue"] as { readonly ref: string };
    await client.call("svc.edit", { ref, clear_owner: true });
    const { failure } = await client.call("svc.claim", { idempotency_key: "box-1" });
    expect(failure).toContain("claim_expired");
  });

  test("requires the project beside a key if the server reaches a list of projects", async () => {
    const { client } = await serve(["web", "api"]);
    const args = { idempotency_key: "box-1" };
    expect((await client.call("svc.claim", args)).failure).toContain("project: is required");
    const named = await client.call("svc.claim", { ...args, project: "web" });
    expect(titleOf(named.answer)).toBe("a low one");
  });

  test("takes nothing of a project out of scope", async () => {
    const { client } = await serve("web");
    const { failure } = await client.call("svc.claim", { project: "api" });
    expect(failure).toContain("outside this server's scope");
    expect(titleOf((await client.call("svc.claim")).answer)).toBe("a low one");
    expect((await client.call("svc.claim")).answer).toEqual({ changed: false });
  });

  test.each([
    [{ force: true }, "force: needs ref"],
    [{ if_unowned: true }, "if_unowned: needs ref"],
  ])("refuses %j", async (args, text) => {
    const { client } = await serve("web");
    expect((await client.call("svc.claim", args)).failure).toBe(`invalid arguments: ${text}`);
  });

  test("refuses arguments that choose an issue if a ref is given too", async () => {
    const { client, low } = await serve("web");
    const { failure } = await client.call("svc.claim", { ref: low.short_id, labels: ["cli"] });
    expect(failure).toBe("invalid arguments: labels: is for a call without ref");
  });

  test.each([["web"], [["web", "api"]], ["all"]])(
    "gives each of 12 simultaneous agents a different issue, and refuses none: %j",
    async (names) => {
      const world = await ToolWorld.open();
      const web = await world.project("web");
      const api = await world.project("api");
      for (let at = 0; at < 24; at++)
        await world.issue(names === "web" || at % 2 === 0 ? web.id : api.id, `issue ${at}`);
      const agents = await Promise.all(
        Array.from(
          { length: 12 },
          async (_, at) => await world.serve(names, { actor: `a${at}`, load: ["issue_mutation"] }),
        ),
      );
      const takes = agents.flatMap((agent) => [agent.call("svc.claim"), agent.call("svc.claim")]);
      const taken = await Promise.all(takes);
      expect(taken.map(({ failure }) => failure)).toEqual(taken.map(() => undefined));
      expect(new Set(taken.map(({ answer }) => titleOf(answer))).size).toBe(24);
    },
  );
});

/** What a model reads of an answer, without the bodies of issues and comments, which are as long as people made them. */
function bytesWithoutBodies(answer: Json): number {
  return Buffer.byteLength(
    JSON.stringify(answer, (name, value: unknown) => (name === "body" ? "" : value)),
  );
}

test("taking, commenting on and closing an issue and filing two more costs five calls and 2.5 KB of answers, bodies apart", async () => {
  const world = await ToolWorld.open();
  const { id } = await world.project("web");
  const title = "The list of issues keeps its place when a filter is changed";
  const more = { body: "word ".repeat(300), labels: ["bug", "cli"], priority: 1 };
  const { uid: ref } = await world.issue(id, title, more);
  const said = { body: "Seen again on Monday.", actor: "ann" };
  await call(world.client, createComment, { params: { project_id: id, ref }, body: said });
  const client = await world.serve("web", { actor: "claude-1" });
  const taken = await client.call("svc.claim", { idempotency_key: "1" });
  const { ref: own } = taken.answer["issue"] as { readonly ref: string };
  const followUp = async (name: string) =>
    await client.call("svc.create", {
      title: `${name} keep their place when a filter is changed`,
      body: "As the list does now.",
      labels: ["bug"],
      priority: 2,
      related: [own],
      force_new: true,
      idempotency_key: name,
    });
  const answers = [
    taken,
    await client.call("svc.comment", {
      ref: own,
      body: "Found it: the filter is applied after the cursor moves.",
      idempotency_key: "2",
    }),
    await followUp("Boards"),
    await followUp("Graphs"),
    await client.call("svc.close", {
      ref: own,
      reason: "done",
      message: "The place is kept: the filter is applied to the rows before the cursor moves.",
      evidence: [{ type: "commit", sha: "0123456789abcdef0123456789abcdef01234567" }],
      idempotency_key: "5",
    }),
  ];
  expect(answers.map(({ failure }) => failure)).toEqual(answers.map(() => undefined));
  const bytes = answers.map(({ answer }) => bytesWithoutBodies(answer));
  expect(
    bytes.reduce((sum, one) => sum + one),
    bytes.join(" + "),
  ).toBeLessThanOrEqual(2560);
});
