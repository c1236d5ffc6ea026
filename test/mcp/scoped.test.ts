import { describe, expect, test } from "vitest";
import { call } from "../../src/client/call.ts";
import { createComment } from "../../src/contract/comments.ts";
import { ToolWorld } from "./tools.ts";

const MESSAGE = "The parser reads empty files, and a test holds it to that.";
const evidence = [{ type: "commit", sha: "1f2e3d4" }];
const done = { reason: "done", message: MESSAGE, evidence };

async function two() {
  const world = await ToolWorld.open();
  const web = await world.project("web");
  const secret = await world.project("secret");
  const bound = await world.serve("web");
  const all = await world.serve("all");
  return { world, web, secret, bound, all };
}

describe("a server of one project", () => {
  test.each([
    ["create", "parent", "secret#ab3d"],
    ["create", "blocks", ["secret#ab3d"]],
    ["create", "blocked_by", ["nowhere#ab3d"]],
    ["create", "related", ["secret#ab3d"]],
    ["edit", "parent", "nowhere#ab3d"],
    ["edit", "add_blocks", ["secret#ab3d"]],
    ["edit", "remove_blocked_by", ["secret#ab3d"]],
    ["edit", "add_related", ["nowhere#ab3d"]],
    ["close", "evidence.issue_ref", "secret#ab3d"],
    ["audit_closes", "parent", "secret#ab3d"],
    ["recurrence_update", "initial_issue_ref", "secret#ab3d"],
  ])(
    "names the argument of svc.%s that has a ref out of scope: %s",
    async (tool, argument, ref) => {
      const { world, web, bound } = await two();
      const { short_id } = await world.issue(web.id, "mine");
      const evidence = [{ type: "duplicate-of", issue_ref: ref }];
      const calls: Record<string, Readonly<Record<string, unknown>>> = {
        create: { title: "new", idempotency_key: "k1", [argument]: ref },
        edit: { ref: short_id, [argument]: ref },
        close: { ref: short_id, reason: "duplicate", message: MESSAGE, evidence },
        audit_closes: { [argument]: ref },
        recurrence_update: {
          action: "create",
          rrule: "FREQ=WEEKLY",
          dtstart: "2026-01-05T09:00:00",
          timezone: "UTC",
          template: { title: "weekly" },
          [argument]: ref,
        },
      };
      const { failure } = await bound.call(`svc.${tool}`, calls[tool]);
      const [, name] = /"?(\w+)#/.exec(JSON.stringify(ref)) ?? [];
      expect(failure).toBe(`${argument}: project "${name}" is outside this server's scope`);
    },
  );

  test("shows nothing of an issue that was moved to another project", async () => {
    const { bound, all } = await two();
    const args = { title: "mine", idempotency_key: "k1" };
    const made = await bound.call("svc.create", args);
    const { ref } = made.answer["issue"] as { readonly ref: string };
    await bound.call("svc.close", { ref, ...done, idempotency_key: "k2" });
    const moved = await all.call("svc.move", { ref: `web#${ref}`, to_project: "secret" });
    const { qualified_ref } = moved.answer["issue"] as { readonly qualified_ref: string };
    await all.call("svc.edit", { ref: qualified_ref, title: "TOP SECRET", owner: "mallory" });
    const answers = [
      await bound.call("svc.create", args),
      await bound.call("svc.close", { ref, ...done, idempotency_key: "k2" }),
      await bound.call("svc.close", { ref, ...done, idempotency_key: "k3" }),
      await bound.call("svc.audit_closes"),
      await bound.call("svc.digest", { since: "1h" }),
      await bound.call("svc.events", { limit: 100 }),
    ];
    for (const answer of answers)
      expect(JSON.stringify(answer)).not.toMatch(/secret#|TOP SECRET|mallory/);
  });

  test("neither removes nor replaces a parent in another project, nor mentions it", async () => {
    const { world, web, secret, bound, all } = await two();
    const parent = await world.issue(secret.id, "hidden parent");
    const near = await world.issue(web.id, "near");
    const { short_id: ref } = await world.issue(web.id, "child", {
      links: [{ type: "parent", to_ref: parent.qualified_id }],
    });
    expect((await bound.call("svc.edit", { ref, remove_parent: true })).failure).toBe(
      "invalid arguments: it has no parent",
    );
    const replaced = await bound.call("svc.edit", { ref, parent: near.short_id });
    expect(replaced.failure).toContain("parent");
    const { answer } = await all.call("svc.show", { ref: `web#${ref}` });
    expect(answer).toMatchObject({ issue: { links: [{ qualified_ref: parent.qualified_id }] } });
  });

  test("names similar issues of its own project only", async () => {
    const { bound } = await two();
    const text = {
      title: "The parser crashes",
      body: "It ends with a stack trace for an empty file.",
    };
    await bound.call("svc.create", { ...text, idempotency_key: "k1" });
    const { failure } = await bound.call("svc.create", { ...text, idempotency_key: "k2" });
    expect(failure).toMatch(/duplicate_candidates.* data: .*web#/);
  });
});

describe("large answers", () => {
  test("a list over several projects skips no row, even if the daemon cuts off its answers", async () => {
    const { world, web, secret } = await two();
    const metadata = { big: "m".repeat(60_000) };
    for (let at = 0; at < 24; at++) {
      const project = at % 2 === 0 ? web : secret;
      await world.issue(project.id, `issue ${at}`, at % 2 === 0 ? { metadata } : {});
    }
    const client = await world.serve(["web", "secret"]);
    const seen: string[] = [];
    let cursor: unknown;
    for (let page = 0; page < 20; page++) {
      const { answer } = await client.call("svc.list", cursor === undefined ? {} : { cursor });
      seen.push(...(answer["issues"] as readonly { title: string }[]).map(({ title }) => title));
      cursor = answer["next_cursor"];
      if (cursor === undefined) break;
    }
    expect(seen).toEqual(Array.from({ length: 24 }, (_, at) => `issue ${23 - at}`));
  });

  test("answers of hundreds of projects, metadata keys, labels and comments stay within 8 KB", async () => {
    const { world, web } = await two();
    for (let at = 0; at < 120; at++) await world.project(`${"p".repeat(100)}${at}`);
    const keys = Array.from({ length: 800 }, (_, at) => [`${"k".repeat(40)}${at}`, "v"]);
    const labels = Array.from({ length: 150 }, (_, at) => `label-${at}`);
    const { short_id } = await world.issue(web.id, "keys", {
      metadata: Object.fromEntries(keys),
      labels,
    });
    for (let at = 0; at < 30; at++)
      await call(world.client, createComment, {
        params: { project_id: web.id, ref: short_id },
        body: { body: `${at} ${"c".repeat(60_000)}`, actor: "ann" },
      });
    const all = await world.serve("all");
    expect((await all.call("svc.labels")).bytes).toBeLessThanOrEqual(8192);
    const { answer, bytes } = await all.call("svc.show", { ref: `web#${short_id}` });
    expect(bytes).toBeLessThanOrEqual(8192);
    expect(answer).toMatchObject({ comments_truncated: true, labels_omitted: 130 });
  });

  test("svc.audit_closes continues where the daemon cut off its rows", async () => {
    const { world, web, bound } = await two();
    const count = 6;
    for (let at = 0; at < count; at++) {
      const { short_id } = await world.issue(web.id, `issue ${at}`);
      const message = `${MESSAGE} ${at} ${"m".repeat(900_000)}`;
      expect(
        (await bound.call("svc.close", { ref: short_id, ...done, message })).failure,
      ).toBeUndefined();
    }
    const rows: unknown[] = [];
    let cursor: unknown;
    for (let page = 0; page < count; page++) {
      const { answer, failure } = await bound.call(
        "svc.audit_closes",
        cursor === undefined ? {} : { cursor },
      );
      expect(failure).toBeUndefined();
      rows.push(...(answer["rows"] as readonly unknown[]));
      cursor = answer["next_cursor"];
      if (cursor === undefined) break;
    }
    expect(rows).toHaveLength(count);
  });
});

test("svc.events gives all events of a list of projects, even while others write", async () => {
  const { world, web } = await two();
  const names = ["web"];
  for (let at = 0; at < 20; at++) {
    names.push(`quiet-${at}`);
    await world.project(`quiet-${at}`);
  }
  const client = await world.serve(names);
  const wanted: string[] = [];
  const writing = (async () => {
    for (let at = 0; at < 60; at++) wanted.push((await world.issue(web.id, `issue ${at}`)).uid);
  })();
  const seen = new Set<string>();
  let after = 0;
  let isOver = false;
  void writing.then(() => {
    isOver = true;
  });
  for (;;) {
    const wasOver = isOver;
    const { answer } = await client.call("svc.events", { after });
    const events = answer["events"] as readonly {
      readonly type: string;
      readonly issue_uid?: string;
    }[];
    for (const { type, issue_uid = "" } of events)
      if (type === "issue.created") seen.add(issue_uid);
    after = answer["next_after_id"] as number;
    if (wasOver && events.length === 0) break;
  }
  await writing;
  expect(wanted.filter((uid) => !seen.has(uid))).toEqual([]);
});
