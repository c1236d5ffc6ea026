import { openClient } from "../../src/client/client.ts";
import type { At } from "../../src/screen/writes/writes.ts";
import { projectWorld } from "../cli/harness.ts";

/** Makes a real daemon with two equal issues: one for the screen, one for the command line. */
export async function twins() {
  const w = await projectWorld();
  await w.ok(["projects", "create", "infra", "-q"]);
  const env = { SVC_HOME: w.home, HOME: w.work, USER: "ann" };
  const program = { version: "1.2.3", launcher: undefined };
  const client = await openClient({ program, start: w.work, cwd: w.work, env, autostart: false });
  const json = async (...words: readonly string[]) =>
    JSON.parse(await w.ok([...words, "--json"])) as Record<string, unknown>;
  const other = await w.issue("Other");
  const pair = [await twin(w), await twin(w)] as const;
  const ats = await Promise.all(
    pair.map(async (ref): Promise<At> => {
      const { issue } = (await json("show", ref)) as { issue: ShownIssue };
      return { uid: issue.uid, project_id: issue.project_id, ref, name: issue.qualified_id };
    }),
  );
  const [screen, shell] = ats;
  if (screen === undefined || shell === undefined) throw new Error("there are two");
  return { ...w, client, json, other, screen, shell };
}

export type Twins = Awaited<ReturnType<typeof twins>>;

export interface ShownIssue {
  readonly uid: string;
  readonly short_id: string;
  readonly qualified_id: string;
  readonly project_id: number;
}

async function twin({ issue, ok }: Awaited<ReturnType<typeof projectWorld>>): Promise<string> {
  const ref = await issue(
    "Twin",
    "--body",
    "A body.",
    "--label",
    "bug",
    "--owner",
    "bo",
    "--priority",
    "3",
  );
  await ok(["comment", ref, "-m", "as it was"]);
  return ref;
}

/** Returns everything that is known of an issue, without what differs between two equal ones. */
export async function pictureOf({ json }: Twins, ref: string): Promise<unknown> {
  const { project_id: _place, ...shown } = await json("show", ref, "--include-deleted");
  const { issue, parent, links, comments, lease } = shown as {
    issue: ShownIssue;
    parent?: { title: string };
    links: { type: string; from: { uid: string }; to: { uid: string } }[];
    comments: { author: string; body: string }[];
    lease?: { holder: string; claim_kind: string };
  };
  const end = (uid: string): string => (uid === issue.uid ? "this" : uid);
  const { uid: _uid, short_id, qualified_id, ...fields } = issue;
  return {
    fields: Object.fromEntries(
      Object.entries(fields).filter(([key]) => !/(?:^id|_at|revision)$/.test(key)),
    ),
    project: qualified_id.slice(0, -short_id.length - 1),
    isDeleted: "deleted_at" in issue,
    parent: parent?.title,
    links: links.map(({ type, from, to }) => [type, end(from.uid), end(to.uid)]),
    comments: comments.map(({ author, body }) => [author, body]),
    lease: lease && [lease.holder, lease.claim_kind],
  };
}
