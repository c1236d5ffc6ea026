import { describe, expect, test } from "vitest";
import type { FilesConnector } from "../connectors/files.ts";
import { type Args, answered, bound, opened, refused } from "./bridges.ts";

/** Lets the answer to the next published comment be lost. The comment is in the file then. */
async function withPending({ bound: client, files, ref }: Awaited<ReturnType<typeof bound>>) {
  await answered(client, "comment", { ref, body: "Done?", idempotency_key: "c1" });
  files.loseNext("publish_comment");
  return await refused(client, "bridge_reconcile", { ref });
}

function idOfPublished(files: FilesConnector): string {
  return /<!-- comment id=(\S+) by=svc/.exec(files.read("plan.md"))?.[1] ?? "";
}

describe("the tools of bridges", () => {
  test("bind an issue to a file, reconcile, pause, resume and end the bridge", async () => {
    const { files, ref, all, bound: client } = await opened();
    const project = { id: 1, name: "web", uid: expect.any(String) };
    const args = { ref: `web#${ref}`, connector: "files", external: "plan.md" };
    const made = await answered(all, "bridge_bind", args);
    const shown = { connector_instance: "files", active: true, enabled: true };
    expect(made).toMatchObject({ project, bridge: { ...shown, publish_comments: false } });
    expect(await answered(client, "bridge_show", { ref })).toEqual(made);
    expect(await answered(client, "show", { ref })).toMatchObject({ issue: { title: "Ship it" } });

    files.write("plan.md", files.read("plan.md").replace("Ship it", "Ship all"));
    const none = { comments_created: 0, comments_edited: 0, field_conflicts: 0, paused: false };
    const counts = { ...none, completion_requests: 0, reopen_requests: 0 };
    for (const root_updated of [true, false])
      expect(await answered(client, "bridge_reconcile", { ref })).toEqual({
        project,
        result: { bridge: expect.objectContaining(shown), root_updated, ...counts },
      });
    expect(await answered(client, "show", { ref })).toMatchObject({
      issue: { title: "Ship all", root: "files" },
    });

    const paused = { project, bridge: { enabled: false, paused_reason: "it moves" } };
    const reason = "it moves";
    expect(await answered(client, "bridge_pause", { ref, reason })).toMatchObject(paused);
    expect(await refused(client, "bridge_reconcile", { ref })).toMatch(
      /^409 external_root_claim_lost: .*svc\.bridge_resume ends a pause$/,
    );
    expect(await answered(client, "bridge_resume", { ref })).toMatchObject({
      ...{ project, bridge: shown },
    });
    expect(await answered(client, "bridge_unbind", { ref })).toMatchObject({
      ...{ project, bridge: { active: false } },
    });
    expect(await refused(client, "bridge_show", { ref })).toMatch(
      /^404 bridge_not_found: .*svc\.bridge_bind/,
    );
    expect((await answered(client, "show", { ref }))["issue"]).not.toHaveProperty("root");
    const { events } = await answered(client, "events", { limit: 100 });
    const kinds = ["bound", "paused", "resumed", "unbound"];
    expect(
      (events as readonly { type: string; actor: string }[])
        .filter(({ type }) => type.startsWith("issue.external_root_"))
        .map(({ type, actor }) => [type.replace("issue.external_root_", ""), actor]),
    ).toEqual(kinds.map((kind) => [kind, "bea"]));
  });

  test("pause a bridge whose file is gone, and say why it cannot be resumed", async () => {
    const { files, ref, bound: client } = await bound();
    files.rename("plan.md", "plan.txt");
    expect(await answered(client, "bridge_reconcile", { ref })).toMatchObject({
      result: { paused: true, bridge: { paused_reason: "external_root_missing" } },
    });
    expect(await refused(client, "bridge_resume", { ref })).toMatch(
      /^502 connector_error: external connector request failed: root_not_found — see what names/,
    );
  });

  test("keep a date equal to a field, and decide about a conflict with either side", async () => {
    const { files, ref, all, bound: client } = await bound();
    const field = { instance: "files", svc_field: "deadline_on" };
    const listed = await answered(all, "connector_fields", { instance: "files" });
    expect(listed).toMatchObject({
      instance: "files",
      fields: [{ id: "due", writable: true }, { id: "scheduled" }, { id: "changed" }],
      mappings: [],
    });
    const mapping = { svc_field: "deadline_on", external_field_id: "due", active: true };
    const mapped = await answered(all, "connector_field_map", { ...field, external_field: "Due" });
    expect(mapped).toMatchObject({ instance: "files", mapping });
    expect(await answered(all, "connector_fields", { instance: "files" })).toMatchObject({
      mappings: [mapping],
    });
    expect(
      await refused(all, "connector_field_map", { ...field, external_field: "other" }),
    ).toMatch(/^404 external_field_not_found: .* — svc\.connector_fields lists them$/);

    const due = () => /^due: (.*)$/m.exec(files.read("plan.md"))?.[1];
    const conflict = async (here: string, there: string): Promise<void> => {
      await answered(client, "set_deadline", { ref, deadline: here });
      const kept = files.read("plan.md").replace(/^due: .*\n/m, "");
      files.write("plan.md", kept.replace("---\n", `---\ndue: ${there}\n`));
      const { result } = await answered(client, "bridge_reconcile", { ref });
      expect(result).toMatchObject({
        field_conflicts: 1,
        bridge: {
          field_conflicts: [
            {
              field: "deadline_on",
              local_candidate: { kind: "date", value: here },
              external_candidate: { kind: "date", value: there },
            },
          ],
        },
      });
    };
    const decided = { ref, svc_field: "deadline_on" };
    await conflict("2026-03-01", "2026-03-02");
    const local = await answered(client, "bridge_resolve_field", { ...decided, use: "local" });
    expect(local).toMatchObject({ bridge: { field_conflicts: [] } });
    expect(due()).toBe("2026-03-01");
    await conflict("2026-03-03", "2026-03-04");
    await answered(client, "bridge_resolve_field", { ...decided, use: "external" });
    expect(await answered(client, "show", { ref })).toMatchObject({
      issue: { metadata: { deadline_on: "2026-03-04" } },
    });
    expect(await refused(client, "bridge_resolve_field", { ...decided, use: "local" })).toContain(
      "409 external_field_conflict",
    );
    expect(await answered(all, "connector_field_unmap", field)).toMatchObject({
      ...{ instance: "files", mapping: { ...mapping, active: false } },
    });
    expect(await refused(all, "connector_field_unmap", field)).toContain(
      "external_field_not_found",
    );
  });

  test("decide about a comment whose answer was lost: sent again, adopted or skipped", async () => {
    const w = await bound(true);
    const { files, ref, bound: client } = w;
    expect(await withPending(w)).toMatch(/^502 connector_error: external connector process failed/);
    const { bridge } = await answered(client, "bridge_show", { ref });
    expect(bridge).toMatchObject({ pending_comment_uid: expect.any(String) });
    expect(await refused(client, "bridge_unbind", { ref })).toMatch(
      /^409 external_comment_pending: .*svc\.bridge_resolve_comment decides$/,
    );
    const decide = async (args: Args) =>
      await answered(client, "bridge_resolve_comment", { ref, ...args });
    const unknown = { ref, action: "adopt", external_comment_id: "other" };
    expect(await refused(client, "bridge_resolve_comment", unknown)).toContain(
      "the root has no such comment",
    );
    const adopted = await decide({
      ...{ action: "adopt", external_comment_id: idOfPublished(files) },
    });
    expect(adopted["bridge"]).not.toHaveProperty("pending_comment_uid");
    const none = await refused(client, "bridge_resolve_comment", { ref, action: "skip" });
    expect(none).toBe(
      "409 external_comment_pending: no comment of the bridge waits for a decision — there is nothing to decide",
    );
    const count = () => files.read("plan.md").match(/<!-- comment id/g)?.length;
    expect(count()).toBe(1);

    await answered(client, "comment", { ref, body: "And now?", idempotency_key: "c2" });
    files.loseNext("publish_comment");
    await refused(client, "bridge_reconcile", { ref });
    expect((await decide({ action: "retry" }))["bridge"]).toHaveProperty("pending_comment_uid");
    const again = await answered(client, "bridge_reconcile", { ref });
    expect(again["result"]).not.toHaveProperty("bridge.pending_comment_uid");
    expect(count()).toBe(2);

    await answered(client, "comment", { ref, body: "Not this", idempotency_key: "c3" });
    files.loseNext("list_comments");
    await refused(client, "bridge_reconcile", { ref });
    files.loseNext("publish_comment");
    await refused(client, "bridge_reconcile", { ref });
    expect((await decide({ action: "skip" }))["bridge"]).not.toHaveProperty("pending_comment_uid");
    await answered(client, "bridge_reconcile", { ref });
    expect(count()).toBe(3);
  });

  test.each([
    [{ action: "adopt" }],
    [{ action: "retry", external_comment_id: "1" }],
    [{ action: "skip", external_comment_id: "1" }],
  ])("svc.bridge_resolve_comment refuses %j before it asks the daemon", async (args) => {
    const { ref, bound: client } = await opened();
    expect(await refused(client, "bridge_resolve_comment", { ref, ...args })).toBe(
      "invalid arguments: external_comment_id: adopt alone needs it",
    );
  });
});
