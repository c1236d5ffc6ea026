import { expect, test } from "vitest";
import { transportOf } from "../../src/client/transport.ts";
import { findRefs } from "../../src/screen/effects/finding.ts";
import { performWrite } from "../../src/screen/effects/writing.ts";
import { changedFields } from "../../src/screen/writes/inverse.ts";
import type { Write } from "../../src/screen/writes/writes.ts";
import type { Transport } from "../../src/shared/transport.ts";
import { issue } from "../tui/support.ts";
import { twins } from "../tui/twins.ts";

test("a search text finds first the issue with that id and then issues that contain the words, each issue once", async () => {
  const w = await twins();
  const { project_id, ref } = w.screen;
  const parser = await w.issue("Parser fails", "--body", `see ${ref}`);
  expect(await findRefs(transportOf(w.client), project_id, ref)).toEqual([
    `web#${ref}  Twin`,
    `web#${parser}  Parser fails`,
  ]);
  expect(await findRefs(transportOf(w.client), project_id, "parser")).toEqual([
    `web#${parser}  Parser fails`,
  ]);
  expect(await findRefs(transportOf(w.client), project_id, "nobody has this")).toEqual([]);
});

test("a text is looked up by words only, since each key that is typed would call the provider otherwise", async () => {
  const w = await twins();
  const daemon = transportOf(w.client);
  const modes: unknown[] = [];
  const call: Transport["call"] = async (id, input) => {
    if (id === "searchIssues") modes.push((input as { query: { mode?: string } }).query.mode);
    return await daemon.call(id, input);
  };
  const found = await findRefs({ ...daemon, call }, w.screen.project_id, "twin");
  expect(found).toHaveLength(2);
  expect(modes).toEqual(["lexical"]);
});

test("an edit is refused if somebody changed its text since, even if the revision is the expected one", async () => {
  const w = await twins();
  const { screen: at } = w;
  const edit: Write = { act: "edit", at, title: "Mine", body: undefined, revision: 1 };
  const guard = changedFields(edit, issue(1, { title: "Twin" }));
  await w.ok(["edit", at.ref, "--title", "Theirs"]);
  await expect(
    performWrite(transportOf(w.client), "ann", { ...edit, guard }),
  ).rejects.toMatchObject({
    code: "revision_conflict",
  });
  const seen = changedFields(edit, issue(1, { title: "Theirs" }));
  const { issue: saved } = await performWrite(transportOf(w.client), "ann", {
    ...edit,
    guard: seen,
  });
  expect(saved?.title).toBe("Mine");
});

test("the daemon refuses an edit of a text if the issue no longer has the text that the edit started from", async () => {
  const w = await twins();
  const { screen: at } = w;
  await w.ok(["edit", at.ref, "--body", "Begun — with ümlauts"]);
  const shared = { act: "edit", at, title: undefined, revision: undefined } as const;
  const mine: Write = { ...shared, body: "Mine", before: "Begun — with ümlauts" };
  const { issue: saved } = await performWrite(transportOf(w.client), "ann", mine);
  expect(saved?.body).toBe("Mine");
  await expect(performWrite(transportOf(w.client), "ann", mine)).rejects.toMatchObject({
    code: "body_conflict",
  });
});

test("an edit is refused if the issue has another revision", async () => {
  const w = await twins();
  const { screen: at } = w;
  await w.ok(["assign", at.ref, "cy"]);
  const edit: Write = { act: "edit", at, title: "Mine", body: undefined, revision: 1 };
  await expect(performWrite(transportOf(w.client), "ann", edit)).rejects.toMatchObject({
    code: "revision_conflict",
  });
});
