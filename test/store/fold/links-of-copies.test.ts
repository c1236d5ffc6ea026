import { describe, expect, test } from "vitest";
import type { AdminStore } from "../../../src/store/admin-store.ts";
import { bindingRow } from "../../support/federated.ts";
import { describeStore, type OpenTestStore } from "../../support/store.ts";
import { created, linksChanged, projectCreated, T0, uid } from "../drafts.ts";
import { expectFolded } from "../fold.ts";
import { admitAs, BEGIN_MS, baseline, ForeignEvents } from "../foreign-events.ts";

/** What a project is for this daemon. */
const PROJECTS = {
  own: { uid: uid(1), binding: undefined },
  "own hub": { uid: uid(2), binding: { role: "hub" } },
  copy: { uid: uid(3), binding: { role: "spoke", hub_url: "https://one.example" } },
  "copy of the same hub": {
    uid: uid(4),
    binding: { role: "spoke", hub_url: "https://one.example/svc", enabled: 0 },
  },
  "copy of another hub": {
    uid: uid(5),
    binding: { role: "spoke", hub_url: "https://two.example" },
  },
} as const;
type Kind = keyof typeof PROJECTS;
const KINDS = Object.keys(PROJECTS) as readonly Kind[];

/** For a link from an issue of the first project to one of the second: whether it is shown, or waits. */
const CASES: readonly (readonly [Kind, Kind, "there" | "waits"])[] = [
  // This daemon may link its own issues to any others.
  ["own", "own hub", "there"],
  ["own", "copy", "there"],
  ["own hub", "own", "there"],
  ["own hub", "copy", "there"],
  // A hub may link the issues of its own projects with each other.
  ["copy", "copy of the same hub", "there"],
  ["copy of the same hub", "copy", "there"],
  ["copy", "own", "waits"],
  ["copy", "own hub", "waits"],
  ["copy", "copy of another hub", "waits"],
  ["copy of another hub", "copy", "waits"],
];

const issueOf = (kind: Kind): string => uid(10 + KINDS.indexOf(kind));
const isCopy = (kind: Kind): boolean => kind.startsWith("copy");

async function bind(store: AdminStore, kinds: readonly Kind[]): Promise<void> {
  await store.write(async (tx) => {
    for (const kind of kinds) {
      const { uid: project_uid, binding } = PROJECTS[kind];
      if (binding !== undefined)
        await tx.unfolded.put("federation_binding", bindingRow(project_uid, 1, T0, binding));
    }
  });
}

async function leave(store: AdminStore, ...kinds: readonly Kind[]): Promise<void> {
  await store.write(async (tx) => {
    for (const kind of kinds)
      await tx.unfolded.remove("federation_binding", { project_uid: PROJECTS[kind].uid });
  });
}

/** A database with an issue of each project; the link is set by the hub of a copy, or here. */
async function given(open: OpenTestStore, links: readonly (readonly [Kind, Kind])[]) {
  const store = await open();
  await store.write(async (tx) => {
    for (const kind of KINDS)
      await tx.append(projectCreated(PROJECTS[kind].uid, kind.replaceAll(" ", "-")));
    for (const kind of KINDS)
      if (!isCopy(kind)) await tx.append(created(PROJECTS[kind].uid, issueOf(kind)));
  });
  await bind(store, KINDS);
  const made = new ForeignEvents();
  let at = 0;
  const pull = async (kind: Kind, draft: Parameters<typeof made.next>[0]) => {
    at += 1;
    const clock = { hlc_physical_ms: BEGIN_MS + at, hub_event_id: at };
    const origin_instance_uid = uid(kind === "copy of another hub" ? 952 : 951);
    await admitAs(store, { fromHub: true }, made.next(draft, { ...clock, origin_instance_uid }));
  };
  for (const kind of KINDS.filter(isCopy)) {
    const project = PROJECTS[kind].uid;
    await pull(kind, baseline(project));
    await pull(kind, created(project, issueOf(kind)));
  }
  for (const [from, to] of links) {
    const draft = linksChanged(PROJECTS[from].uid, issueOf(from), {
      blocks_added_uids: [issueOf(to)],
      parent_set_uid: issueOf(to),
    });
    if (isCopy(from)) await pull(from, draft);
    else await store.write(async (tx) => await tx.append(draft));
  }
  return store;
}

async function linksIn(store: AdminStore, table: "link" | "waiting_link") {
  const snapshot = await store.openSnapshot();
  const found: string[] = [];
  for await (const { from_uid, type, to_uid } of snapshot.rows(table))
    found.push(`${from_uid} ${type} ${to_uid}`);
  await snapshot.close();
  return found.sort();
}

const linkTexts = (from: Kind, to: Kind) =>
  ["blocks", "parent"].map((type) => `${issueOf(from)} ${type} ${issueOf(to)}`);

describeStore("a link between two projects", (open) => {
  describe.each(CASES)("a link from a project (%s) to a project (%s)", (from, to, expected) => {
    test(`the state of the link is "${expected}", and folding it again changes nothing`, async () => {
      const store = await given(open, [[from, to]]);
      const [here, elsewhere] =
        expected === "there"
          ? (["link", "waiting_link"] as const)
          : (["waiting_link", "link"] as const);
      expect(await linksIn(store, here)).toEqual(linkTexts(from, to));
      expect(await linksIn(store, elsewhere)).toEqual([]);
      await expectFolded(store);
      expect(await store.write(async (tx) => await tx.refold(KINDS.map(issueOf)))).toBe(0);
    });
  });

  test("a link appears when its copy leaves the hub, and waits again when the copy joins the hub", async () => {
    const store = await given(open, [["copy", "own"]]);
    await leave(store, "copy");
    expect(await linksIn(store, "link")).toEqual(linkTexts("copy", "own"));
    await expectFolded(store);
    await bind(store, ["copy"]);
    expect(await linksIn(store, "waiting_link")).toEqual(linkTexts("copy", "own"));
    await expectFolded(store);
  });

  test("a link of two copies waits while only one of them has left their hub, and is shown when both have left", async () => {
    const links = [["copy", "copy of the same hub"]] as const;
    const store = await given(open, links);
    await leave(store, "copy of the same hub");
    expect(await linksIn(store, "waiting_link")).toEqual(linkTexts(...links[0]));
    await expectFolded(store);
    await leave(store, "copy");
    expect(await linksIn(store, "link")).toEqual(linkTexts(...links[0]));
    await expectFolded(store);
  });

  test("a link of a hub waits if it closes a circle with a link of this daemon, and the daemon's link stays", async () => {
    const store = await given(open, [
      ["own", "copy"],
      ["copy", "own"],
    ]);
    expect(await linksIn(store, "link")).toEqual(linkTexts("own", "copy"));
    expect(await linksIn(store, "waiting_link")).toEqual(linkTexts("copy", "own"));
    await expectFolded(store);
  });
});
