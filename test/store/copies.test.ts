import { expect, test } from "vitest";
import type { SvcError } from "../../src/contract/errors.ts";
import type { EventDraft } from "../../src/contract/events.ts";
import { mergeProject } from "../../src/contract/project-actions.ts";
import type { Tx } from "../../src/store/types/store.ts";
import { bindingRow, makeHub } from "../support/federated.ts";
import { describeStore } from "../support/store.ts";
import { type OpenStore, world } from "../support/world.ts";

const COPY = { role: "spoke", hub_url: "https://hub.example" } as const;

async function given(open: OpenStore) {
  const w = await world({ store: open });
  const project = await w.given.project();
  const issue = await w.given.issue({ project });
  const comment: EventDraft<"issue.commented"> = {
    type: "issue.commented",
    actor: "ann",
    project_uid: project.uid,
    issue_uid: issue.uid,
    payload: {
      comment_uid: w.ids.ulid(),
      author: "ann",
      body: "hello",
      created_at: w.clock.now(),
    } as never,
  };
  const codeOf = async (work: (tx: Tx) => Promise<unknown>) =>
    await w.store.write(work).then(
      () => undefined,
      (error: SvcError) => error.code,
    );
  return { w, project, issue, comment, codeOf };
}

describeStore("the store's check of changes to a copy", (open) => {
  test("refuses events that are made here in every function that appends events", async () => {
    const { w, project, issue, comment, codeOf } = await given(open);
    await makeHub(w, project, COPY);
    const before = (await w.events()).length;
    const created = { ...comment, type: "issue.created", payload: { uid: w.ids.ulid() } } as never;
    const first = { ...comment, type: "project.federation_enabled", payload: {} } as never;
    const row = await w.store.read(async ({ issues }) => await issues.find(issue.uid));
    const doors: readonly ((tx: Tx) => Promise<unknown>)[] = [
      async (tx) => await tx.append(comment),
      async (tx) => await tx.appendAll([comment]),
      async (tx) => await tx.appendNewIssues([created]),
    ];
    for (const door of doors) expect(await codeOf(door)).toBe("federated_read_only");
    expect(await codeOf(async (tx) => await tx.beginBaseline(first))).toBe(
      "federated_admin_required",
    );
    expect(
      await codeOf(async (tx) => {
        if (row !== undefined) await tx.purgeIssue(row, { actor: "ann", reason: null });
      }),
    ).toBe("federated_admin_required");
    expect(await w.events()).toHaveLength(before);
  });

  test("refuses events after a new binding in the same write, and accepts them once the binding is removed", async () => {
    const { w, project, comment, codeOf } = await given(open);
    await makeHub(w, project, COPY);
    const key = { project_uid: project.uid };
    const binding = await w.store.read(
      async ({ unfolded }) => await unfolded.find("federation_binding", key),
    );
    if (binding === undefined) throw new Error("there is a binding");
    const leave = async (tx: Tx) => await tx.unfolded.remove("federation_binding", key);
    expect(
      await codeOf(async (tx) => {
        await leave(tx);
        await tx.append(comment);
      }),
    ).toBeUndefined();
    expect(
      await codeOf(async (tx) => {
        await tx.append({ ...comment, payload: { ...comment.payload, comment_uid: w.ids.ulid() } });
        await tx.unfolded.put("federation_binding", binding);
        await tx.append({ ...comment, payload: { ...comment.payload, comment_uid: w.ids.ulid() } });
      }),
    ).toBe("federated_read_only");
    expect((await w.eventKinds()).filter((kind) => kind === "issue.commented")).toHaveLength(1);
  });

  test("names the remedy when it refuses a merge into a copy that sends changes, and does not call the copy read-only", async () => {
    const { w, project } = await given(open);
    const { id: source_project_id } = await w.given.project("other");
    const merge = async () =>
      await w.refused(mergeProject, { params: project.path, body: { source_project_id } });
    await makeHub(w, project, COPY);
    expect((await merge()).message).toContain("only reads it");
    await makeHub(w, project, { ...COPY, push_enabled: 1, bound_actor: "sam" });
    const { code, message, hint } = await merge();
    expect(code).toBe("federated_read_only");
    expect(message).not.toContain("only reads");
    expect(hint).toContain("once it has left its hub (svc federation leave)");
  });

  test("accepts the next write of a transaction after the write with the binding was undone", async () => {
    const { w, project, comment } = await given(open);
    const answers = await Promise.allSettled([
      // The first write of a transaction occupies it, so that the others share one.
      w.store.write(
        async (tx) =>
          await tx.append({
            ...comment,
            payload: { ...comment.payload, comment_uid: w.ids.ulid() },
          }),
      ),
      w.store.write(
        async (tx) =>
          await tx.append({
            ...comment,
            payload: { ...comment.payload, comment_uid: w.ids.ulid() },
          }),
      ),
      w.store.write(async (tx) => {
        await tx.unfolded.put("federation_binding", bindingRow(project.uid, 1, tx.now, COPY));
        await tx.append(comment);
      }),
      w.store.write(
        async (tx) =>
          await tx.append({
            ...comment,
            payload: { ...comment.payload, comment_uid: w.ids.ulid() },
          }),
      ),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([
      "fulfilled",
      "fulfilled",
      "rejected",
      "fulfilled",
    ]);
  });

  test("records changes that a copy will send under the copy's actor, and remembers who wrote the changes", async () => {
    const { w, project, issue, comment } = await given(open);
    await makeHub(w, project, { ...COPY, push_enabled: 1, bound_actor: "sam" });
    const created = {
      ...comment,
      type: "issue.created",
      issue_uid: w.ids.ulid(),
      payload: {},
    } as unknown as EventDraft<"issue.created">;
    const uid = created.issue_uid ?? "";
    const payload = { uid, short_id: "n1", title: "new", body: "", author: "ann", owner: "ben" };
    const at = { status: "open", metadata: {}, created_at: w.clock.now() } as const;
    await w.store.write(async (tx) => {
      await tx.append(comment);
      await tx.appendAll([
        { ...comment, payload: { ...comment.payload, comment_uid: w.ids.ulid() } },
      ]);
      await tx.appendNewIssues([{ ...created, payload: { ...payload, ...at } }]);
    });
    const written = (await w.events()).slice(-3);
    for (const event of written) {
      expect(event).toMatchObject({ actor: "sam", local_actor: "ann" });
      expect(event.payload).toMatchObject({ author: "sam" });
    }
    const row = await w.store.read(async ({ issues }) => await issues.find(uid));
    expect(row).toMatchObject({ author: "sam", owner: "ben" });
    expect(issue.author).toBe("ann");
  });
});
