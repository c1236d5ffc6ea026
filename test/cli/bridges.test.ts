import { expect, test } from "vitest";
import { filesConnector } from "../connectors/files.ts";
import { projectWorld } from "./harness.ts";

const PLAN = "# Ship it\n\nAll of it.\n";
const LAST = "last success 2026-01-01T00:00:00.000Z";
const ENABLED = ["bridge by files: enabled", "record open", LAST, "comments only from there"];
const BOTH_WAYS = [...ENABLED.slice(0, 3), "comments in both directions"];

/** A daemon with the connector `files`, whose clock stands still, so that it runs no bridge by itself. */
async function connected() {
  const files = filesConnector({ "plan.md": PLAN });
  const w = await projectWorld();
  await w.restart({ connectors: { entries: [files.entry], environment: {} } });
  const ref = await w.issue("old title");
  const lines = async (...words: string[]) => (await w.ok(words)).trimEnd().split("\n");
  const bridge = async (verb: string, ...words: string[]) =>
    await lines("bridge", verb, ref, ...words);
  const refused = async (verb: string, ...words: string[]) =>
    await w.refused(["bridge", verb, ref, ...words]);
  return { ...w, files, ref, lines, bridge, refusedBridge: refused };
}

const BIND = ["--connector", "files", "--external", "plan.md"];

/** An issue that is bound to a file. */
async function bound(...flags: string[]) {
  const w = await connected();
  await w.bridge("bind", ...BIND, ...flags);
  return w;
}

test("svc bridge bind, show, reconcile, pause, resume and unbind say how the bridge stands", async () => {
  const w = await connected();
  expect(await w.bridge("bind", ...BIND)).toEqual(ENABLED);
  expect(await w.bridge("show")).toEqual(ENABLED);
  expect(await w.bridge("show", "-q")).toEqual(["enabled"]);
  expect(await w.ok(["list"])).toContain("Ship it");
  expect(await w.bridge("reconcile")).toEqual(["Nothing had to change here.", ...ENABLED]);
  expect(await w.bridge("reconcile", "-q")).toEqual(["reconciled"]);

  const comment = "\n<!-- comments -->\n\n<!-- comment by=bea -->\nWhen?\n";
  w.files.write("plan.md", w.files.read("plan.md").replace("Ship it", "Ship all") + comment);
  expect(await w.bridge("reconcile")).toEqual(["title or body changed, 1 new comment", ...ENABLED]);

  const paused = ["bridge by files: paused", "paused because it moves", ...ENABLED.slice(1)];
  expect(await w.bridge("pause", "--reason", "it moves")).toEqual(paused);
  expect(await w.bridge("show", "-q")).toEqual(["paused"]);
  expect(await w.refusedBridge("reconcile")).toEqual({
    code: 5,
    err: "svc: the bridge is paused, was ended, or another run works on it\nhint: svc bridge show says which; svc bridge resume ends a pause\n",
  });
  expect(await w.bridge("resume")).toEqual(ENABLED);
  expect(await w.bridge("unbind")).toEqual(["bridge by files: unbound", ...ENABLED.slice(1)]);
  expect(await w.refusedBridge("show")).toEqual({
    code: 4,
    err: "svc: there is no such bridge or connector\nhint: svc bridge bind makes a bridge; svc connector list shows the connectors\n",
  });
});

test("the forms for agents and for scripts have the state of a bridge, and what a run counted", async () => {
  const w = await bound();
  const agent = "instance=files state=enabled receive_comments=true publish_comments=false";
  expect(await w.bridge("show", "--agent")).toEqual([`OK bridge ${agent}`]);
  expect(await w.bridge("reconcile", "--agent")).toEqual([
    `OK bridge_reconcile ${agent} root_updated=false comments_created=0 comments_edited=0 field_conflicts=0 completion_requests=0 reopen_requests=0 paused=false`,
  ]);
  expect(await w.bridge("pause", "--reason", "it moves", "--agent")).toEqual([
    'OK bridge instance=files state=paused receive_comments=true publish_comments=false paused_reason="it moves"',
  ]);
  const json = async (verb: string) =>
    JSON.parse((await w.bridge(verb, "--json")).join("\n")) as Readonly<Record<string, unknown>>;
  expect(await json("show")).toMatchObject({
    ...{ connector_instance: "files", active: true, enabled: false, field_conflicts: [] },
  });
  expect(await json("resume")).toMatchObject({ enabled: true });
  expect(await json("reconcile")).toMatchObject({ root_updated: false, bridge: { id: 1 } });
  expect(await json("unbind")).toMatchObject({ active: false });
});

test("svc bridge reconcile says that it paused the bridge of a record that is gone, and resume why it cannot", async () => {
  const w = await bound();
  w.files.rename("plan.md", "plan.txt");
  const lines = await w.bridge("reconcile");
  expect(lines.slice(0, 3)).toEqual([
    "The run paused the bridge.",
    "bridge by files: paused",
    "paused because external_root_missing",
  ]);
  expect(await w.refusedBridge("resume")).toEqual({
    code: 1,
    err: "svc: external connector request failed: root_not_found\nhint: see what names the record in the other tracker now\n",
  });
});

test("svc bridge bind names what is wrong, and the cure", async () => {
  const w = await connected();
  const bind = async (connector: string, external: string) =>
    await w.refusedBridge("bind", "--connector", connector, "--external", external);
  expect(await bind("other", "plan.md")).toMatchObject({
    ...{ code: 4, err: expect.stringContaining("svc connector list shows the connectors") },
  });
  expect(await bind("files", "none.md")).toMatchObject({
    ...{ code: 1, err: expect.stringContaining("root_not_found\nhint: see what names the record") },
  });
  expect(await w.refusedBridge("bind", "--connector", "files")).toMatchObject({
    ...{ code: 2, err: expect.stringContaining("external") },
  });
  await w.bridge("bind", ...BIND);
  expect(await bind("files", "plan.md")).toEqual({
    ...{ code: 5, err: "svc: the issue has a bridge already\nhint: svc bridge show\n" },
  });
  const other = await w.issue("another");
  expect(await w.refused(["bridge", "bind", other, ...BIND])).toMatchObject({
    ...{ code: 5, err: expect.stringContaining("the root is or was bound to another issue") },
  });
  expect(await w.refused(["edit", w.ref, "--title", "mine"])).toMatchObject({
    ...{ code: 5, err: expect.stringContaining("svc bridge unbind") },
  });
});

test("svc connector field list, map and unmap show the fields of a connector and which date follows one", async () => {
  const w = await connected();
  const field = async (...words: string[]) => await w.lines("connector", "field", ...words);
  const kinds = "null, date, local_datetime, instant";
  expect(await field("list", "files")).toEqual([
    "FIELD      NAME         WRITABLE  MAPPED TO  KINDS",
    `due        Due          yes       -          ${kinds}`,
    `scheduled  Scheduled    yes       -          ${kinds}`,
    "changed    Last change  no        -          instant",
  ]);
  const map = ["map", "files", "deadline_on", "--external"];
  expect(await field(...map, "Due")).toEqual(["deadline_on follows Due (due)"]);
  expect(await field(...map, "due", "--agent")).toEqual([
    "OK connector_field svc_field=deadline_on external_field=due active=true",
  ]);
  expect(await field(...map, "due", "-q")).toEqual(["due"]);
  expect((await field("list", "files", "--agent")).slice(0, 2)).toEqual([
    "OK connector_fields count=3",
    "- field=due name=Due kinds=null,date,local_datetime,instant writable=true nullable=true mapped_to=deadline_on",
  ]);
  expect(await field("list", "files", "-q")).toEqual(["due", "scheduled", "changed"]);
  expect(JSON.parse((await field("list", "files", "--json")).join("\n"))).toMatchObject({
    ...{ fields: [{ id: "due" }, {}, {}], mappings: [{ svc_field: "deadline_on" }] },
  });
  expect(await field("unmap", "files", "deadline_on")).toEqual([
    "deadline_on no longer follows Due (due)",
  ]);
  const said = async (...words: string[]) => await w.refused(["connector", "field", ...words]);
  expect(await said("unmap", "files", "deadline_on")).toEqual({
    code: 4,
    err: "svc: the date is not mapped\nhint: svc connector field list <instance> shows its fields\n",
  });
  expect(await said(...map, "none")).toEqual({
    code: 4,
    err: "svc: the connector has no such field\nhint: svc connector field list <instance> shows its fields\n",
  });
  expect(await said(...map, "changed")).toMatchObject({
    ...{ code: 3, err: expect.stringContaining("the field cannot be written, or not be empty") },
  });
  expect(await said("map", "files", "due_on", "--external", "due")).toMatchObject({
    ...{ code: 2, err: expect.stringContaining("scheduled_on, deadline_on") },
  });
  expect(await said("map", "files", "deadline_on")).toMatchObject({ code: 2 });
  expect(await said("list", "other")).toMatchObject({
    ...{ code: 4, err: expect.stringContaining("svc connector list shows the connectors") },
  });
});

test("svc bridge resolve-field decides a conflict that svc bridge show names, with either side", async () => {
  const w = await bound();
  await w.ok(["connector", "field", "map", "files", "deadline_on", "--external", "due"]);
  const conflict = async (here: string, there: string): Promise<readonly string[]> => {
    await w.ok(["deadline", w.ref, here]);
    const kept = w.files.read("plan.md").replace(/^due: .*\n/m, "");
    w.files.write("plan.md", kept.replace("---\n", `---\ndue: ${there}\n`));
    return await w.bridge("reconcile");
  };
  const line = (here: string, there: string) =>
    `conflict deadline_on: here ${here}, there ${there}: svc bridge resolve-field decides`;
  const [first, second] = ["2026-03-01", "2026-03-02"] as const;
  const lines = ["1 conflict", ...ENABLED, line(first, second)];
  expect(await conflict(first, second)).toEqual(lines);
  expect(await w.bridge("show")).toEqual(lines.slice(1));
  expect((await w.bridge("show", "--agent"))[1]).toBe(
    "- field=deadline_on local_kind=date external_kind=date",
  );
  expect(await w.refusedBridge("resolve-field", "deadline_on")).toMatchObject({
    ...{ code: 2, err: expect.stringContaining("use") },
  });
  expect(await w.refusedBridge("resolve-field", "deadline_on", "--use", "mine")).toMatchObject({
    ...{ code: 2, err: expect.stringContaining("local, external") },
  });
  // A paused bridge decides nothing, so its conflict names no command.
  const undecided = line(first, second).replace(/: svc bridge.*/, "");
  expect((await w.bridge("pause")).at(-1)).toBe(undecided);
  expect(await w.refusedBridge("resolve-field", "deadline_on", "--use", "local")).toMatchObject({
    ...{ code: 5, err: expect.stringContaining("the bridge is paused") },
  });
  expect((await w.bridge("resume")).at(-1)).toBe(line(first, second));
  expect(await w.bridge("resolve-field", "deadline_on", "--use", "local")).toEqual(ENABLED);
  expect(w.files.read("plan.md")).toContain(`due: ${first}\n`);
  await conflict(second, "2026-03-03");
  expect(await w.bridge("resolve-field", "deadline_on", "--use", "external")).toEqual(ENABLED);
  expect(await w.ok(["show", w.ref])).toContain("2026-03-03");
  for (const field of ["deadline_on", "scheduled_on"])
    expect(await w.refusedBridge("resolve-field", field, "--use", "local")).toEqual({
      code: 5,
      err: "svc: the field is not in conflict\nhint: there is nothing to decide\n",
    });
});

/** Lets the answer to a published comment be lost, which the file has then. Returns the id that it has there. */
async function published(w: Awaited<ReturnType<typeof bound>>, text: string): Promise<string> {
  await w.ok(["comment", w.ref, "-m", text]);
  w.files.loseNext("publish_comment");
  expect(await w.refusedBridge("reconcile")).toEqual({
    code: 1,
    err: "svc: external connector process failed\nhint: svc connector status says how the connector answers\n",
  });
  const ids = [...w.files.read("plan.md").matchAll(/<!-- comment id=(\S+) by=svc/g)];
  return ids.at(-1)?.[1] ?? "";
}

test("svc bridge resolve-comment decides about a comment whose answer was lost, with exactly one flag", async () => {
  const w = await bound("--publish-comments");
  const id = await published(w, "Done?");
  expect((await w.bridge("show")).slice(0, 3)).toEqual([
    "bridge by files: enabled",
    "external connector process failed",
    "failures 1",
  ]);
  expect((await w.bridge("show")).at(-1)).toMatch(
    /^comment [0-9A-Z]{26} arrived or not: svc bridge resolve-comment decides$/,
  );
  expect(await w.bridge("show", "--agent")).toEqual([
    expect.stringMatching(
      /^OK bridge .* pending_comment=[0-9A-Z]{26} last_error="external connector process failed"$/,
    ),
  ]);
  expect(await w.refusedBridge("unbind")).toMatchObject({
    ...{ code: 5, err: expect.stringContaining("svc bridge resolve-comment decides about it") },
  });
  expect(await w.refusedBridge("resolve-comment")).toEqual({
    ...{
      code: 2,
      err: "svc: nothing was decided\nhint: give one of --adopt <id>, --retry and --skip\n",
    },
  });
  for (const flags of [
    ["--retry", "--skip"],
    ["--adopt", id, "--skip"],
    ["--adopt", id, "--retry"],
  ])
    expect(await w.refusedBridge("resolve-comment", ...flags)).toMatchObject({
      ...{ code: 2, err: expect.stringContaining("cannot be used together") },
    });
  expect(await w.refusedBridge("resolve-comment", "--adopt", "none")).toMatchObject({
    ...{ code: 3, err: expect.stringContaining("the root has no such comment") },
  });
  const undecided = (lines: readonly string[]) => lines.some((one) => one.startsWith("comment 0"));
  expect(undecided(await w.bridge("resolve-comment", "--retry"))).toBe(true);
  expect(undecided(await w.bridge("resolve-comment", "--adopt", id))).toBe(false);
  expect(await w.refusedBridge("resolve-comment", "--skip")).toEqual({
    code: 5,
    err: "svc: no comment of the bridge waits for a decision\nhint: there is nothing to decide\n",
  });
  expect(await w.bridge("reconcile")).toEqual(["Nothing had to change here.", ...BOTH_WAYS]);
});

test("svc bridge resolve-comment and unbind find the issue of an archived project", async () => {
  const w = await bound("--publish-comments");
  await published(w, "Done?");
  await w.ok(["projects", "remove", "web", "--force", "-q"]);
  const named = `web#${w.ref}`;
  const refused = await w.refused(["bridge", "resume", named]);
  expect(refused).toMatchObject({ code: 4, err: expect.stringContaining("web") });
  const skipped = await w.lines("bridge", "resolve-comment", named, "--skip");
  expect(skipped.slice(0, 2)).toEqual([
    "bridge by files: paused",
    "paused because project_archived",
  ]);
  expect(skipped.at(-1)).toBe("comments in both directions");
  expect(await w.lines("bridge", "unbind", named, "-q")).toEqual(["unbound"]);
});

test("a closed issue completes its record, and a record that is completed asks to close the issue", async () => {
  const w = await bound();
  w.files.write("plan.md", w.files.read("plan.md").replace("---\n", "---\nstate: done\n"));
  const asked = await w.bridge("reconcile");
  expect([asked[0], asked[2]]).toEqual(["1 request to close", "record complete"]);
  w.files.write("plan.md", w.files.read("plan.md").replace("state: done\n", "state: open\n"));
  expect((await w.bridge("reconcile"))[0]).toBe("1 request to reopen");
  await w.ok([
    "close",
    w.ref,
    "--reason",
    "wontfix",
    "-m",
    "Nobody needs it now, as all of us have agreed in the call of today.",
  ]);
  await w.bridge("reconcile");
  expect(w.files.read("plan.md")).toContain("state: done");
});
