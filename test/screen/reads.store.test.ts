import { expect, test } from "vitest";
import { call } from "../../src/client/call.ts";
import type { Client } from "../../src/client/client.ts";
import { transportOf } from "../../src/client/transport.ts";
import { createCronJob } from "../../src/contract/cron-jobs.ts";
import { observeCronRun } from "../../src/contract/cron-runs.ts";
import { notifyIssue } from "../../src/contract/inbox.ts";
import { createIssue, patchIssueMetadata } from "../../src/contract/issues.ts";
import { createLink } from "../../src/contract/links.ts";
import { initProject } from "../../src/contract/projects.ts";
import { slotOf } from "../../src/domain/inbox/slot.ts";
import type { DetailPart } from "../../src/screen/detail/state.ts";
import { readDetail } from "../../src/screen/effects/reads/detail.ts";
import { readInbox } from "../../src/screen/effects/reads/inbox.ts";
import { readSearch } from "../../src/screen/effects/reads/search.ts";
import { performWrite } from "../../src/screen/effects/writing.ts";
import { Local } from "../client/local.ts";
import { folderWith } from "../config/folder.ts";
import { but, X } from "../domain/cron/bases.ts";

const actor = "ann";

/** A real daemon with a project. */
async function world() {
  const local = new Local(folderWith());
  await local.daemon();
  const client = await local.client();
  const project = async (name: string): Promise<number> =>
    (await call(client, initProject, { body: { name, actor } })).project.id;
  const issue = async (project_id: number, title: string) =>
    (await call(client, createIssue, { params: { project_id }, body: { title, actor } })).issue;
  return { client, project, issue, product: await project("product") };
}

type Issue = Awaited<ReturnType<Awaited<ReturnType<typeof world>>["issue"]>>;

/** Returns everything that is read of an issue. */
async function detailOf(client: Client, { uid }: Issue): Promise<DetailPart> {
  let detail: DetailPart = {};
  for await (const part of readDetail(transportOf(client), {
    effect: "load-detail",
    uid,
    now: true,
  }))
    detail = { ...detail, ...part };
  return detail;
}

const paramsOf = ({ project_id, uid: ref }: Issue) => ({ project_id, ref });
const inbox = { effect: "load-inbox", addresses: ["bea"], all: false, wait: 0 } as const;

test("a search in several projects shows the best match of each, then the second of each, whatever their scores", async () => {
  const { client, project, issue, product } = await world();
  const infra = await project("infra");
  const titles = ["crash", "crash in the parser of long files"];
  for (const title of titles) await issue(product, title);
  const { uid } = await issue(infra, "after a long day the old printer in the hall had a crash");
  const found = await readSearch(transportOf(client), {
    ...{ effect: "search", serial: 3, words: "crash" },
    ...{ labels: [], withoutLabels: [], projects: [product, infra] },
  });
  if (!("issues" in found)) throw new Error(found.error);
  expect(found.issues.map(({ title }) => title)).toEqual([titles[0], expect.anything(), titles[1]]);
  expect(found.issues[1]?.uid).toBe(uid);
});

test("inbox requests of every project are read, the oldest first, including malformed ones", async () => {
  const { client, project, issue, product } = await world();
  const [one, two, three] = [
    await issue(product, "one"),
    await issue(await project("infra"), "two"),
    await issue(product, "three"),
  ];
  const ask = async (about: Issue, message: string) =>
    await call(client, notifyIssue, {
      params: paramsOf(about),
      body: { to: "bea", message, actor },
    });
  await ask(one, "first");
  await ask(two, "second");
  const patch = { [slotOf("bea")]: { from: 5 } };
  await call(client, patchIssueMetadata, { params: paramsOf(three), body: { patch, actor } });
  const { inbox: read } = await readInbox(transportOf(client), inbox);
  expect(read.requests).toMatchObject([
    {
      ref: one.qualified_id,
      message: "first",
      from: actor,
      to: "bea",
      project_id: one.project_id,
    },
    { ref: two.qualified_id, message: "second" },
    { ref: three.qualified_id, fault: expect.stringContaining("from") },
  ]);
});

test("a request is cleared only if its event is unchanged, and an unreadable request only if it is still unreadable", async () => {
  const { client, issue, product } = await world();
  const about = await issue(product, "one");
  const at = { uid: about.uid, project_id: product, ref: about.uid, name: about.qualified_id };
  const ask = async (message: string) =>
    await call(client, notifyIssue, {
      params: paramsOf(about),
      body: { to: "bea", message, actor },
    });
  const requests = async () => (await readInbox(transportOf(client), inbox)).inbox.requests ?? [];
  const clear = async (event_uid: string | undefined) =>
    await performWrite(transportOf(client), actor, {
      act: "clear",
      at,
      to: "bea",
      event_uid,
      unreadable: event_uid === undefined,
    });
  await ask("first");
  const [first] = await requests();
  await ask("second");
  await expect(clear(first?.event_uid)).rejects.toMatchObject({ code: "request_replaced" });
  await expect(clear(undefined)).rejects.toMatchObject({ code: "request_replaced" });
  expect(await requests()).toMatchObject([{ message: "second" }]);
  await clear((await requests())[0]?.event_uid);
  const patch = { [slotOf("bea")]: "what?" };
  await call(client, patchIssueMetadata, { params: paramsOf(about), body: { patch, actor } });
  expect(await requests()).toMatchObject([{ fault: expect.any(String) }]);
  await clear(undefined);
  expect(await requests()).toEqual([]);
});

test("an issue is read with its events and its linked issues, in other projects too", async () => {
  const { client, project, issue, product } = await world();
  const [one, other] = [await issue(product, "one"), await issue(await project("infra"), "two")];
  const body = { type: "related" as const, to_ref: other.qualified_id, actor };
  await call(client, createLink, { params: paramsOf(one), body });
  const detail = await detailOf(client, one);
  expect(detail.show?.issue.title).toBe("one");
  expect(detail.events?.map(({ type }) => type)).toEqual(["issue.created", "issue.linked"]);
  expect(detail.peers?.map(({ title }) => title)).toEqual(["two"]);
});

test("an issue that somebody else moved or deleted is read in its new project, or as deleted", async () => {
  const { client, project, issue, product } = await world();
  const one = await issue(product, "one");
  const there = await issue(await project("infra"), "two");
  const to = { id: there.project_id, uid: there.project_uid ?? "", name: "infra" };
  const at = { uid: one.uid, project_id: product, ref: one.uid, name: one.qualified_id };
  await performWrite(transportOf(client), actor, { act: "move", at, to });
  const moved = await detailOf(client, one);
  expect(moved.show?.issue).toMatchObject({ project_id: to.id, title: "one" });
  expect(moved.events?.at(-1)?.type).toBe("issue.moved");
  await performWrite(transportOf(client), actor, {
    act: "delete",
    at: { ...at, project_id: to.id, name: moved.show?.issue.qualified_id ?? "" },
  });
  const { show } = await detailOf(client, one);
  expect(show?.issue.deleted_at).toEqual(expect.any(String));
});

test("the totals of an issue's runs are read, and those of no other issue", async () => {
  const { client, issue, product } = await world();
  const [one, two] = [await issue(product, "one"), await issue(product, "two")];
  const params = { project_id: product };
  const definition = but(X, { issue: { kind: "existing", uid: one.uid } }) as never;
  const body = { name: "nightly", definition, actor };
  const { job } = await call(client, createCronJob, { params, body });
  const run = {
    job_uid: job.uid,
    definition_event_uid: job.definition_event_uid,
    issue_uid: one.uid,
    status: "running",
    summary: { version: 1, input_tokens: 5 },
    expected_revision: 0,
    actor,
  } as const;
  const run_uid = "01K4M0000000000000000000R1";
  await call(client, observeCronRun, { params: { ...params, run_uid }, body: run });
  const { runs } = await detailOf(client, one);
  expect(runs).toMatchObject({ key: one.uid, runs: 1, failed: 0, input_tokens: 5 });
  expect((await detailOf(client, two)).runs).toBeUndefined();
});

test("a history of more than a page is read completely", async () => {
  const { client, issue, product } = await world();
  const one = await issue(product, "one");
  const params = paramsOf(one);
  for (let at = 0; at < 1001; at += 1) {
    const body = { patch: { at: String(at) }, actor };
    await call(client, patchIssueMetadata, { params, body });
  }
  const detail = await detailOf(client, one);
  expect(detail.events).toHaveLength(1002);
});
