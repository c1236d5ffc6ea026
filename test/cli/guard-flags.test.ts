import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { W, X } from "../domain/cron/bases.ts";
import { plantQuarantine } from "../support/quarantine.ts";
import { commandFiles, projectWorld } from "./harness.ts";

/** Flags that make a change depend on a condition. Every command that takes such a flag must enforce it. */
const GUARDS = [
  "fence",
  "if-match",
  "expected-event-uid",
  "expect-owner",
  "event-uid",
  "confirm",
  "dry-run",
  "if-unowned",
  "idempotency-key",
];

const EVIDENCE = ["-m", "The parser keeps the last line of a file", "--commit", "1f2e3d4"];
const DONE = ["--done", ...EVIDENCE];
const BEADS = join(import.meta.dirname, "../sources/fixtures/beads-small.jsonl");
const STRANGE = "01K4M0000000000000000000Z9";

/** Makes the issues that the commands work on. */
async function given() {
  const w = await projectWorld();
  const json = async (...words: string[]) => JSON.parse((await w.run([...words, "--json"])).out);
  await w.ok(["projects", "create", "shop"]);
  await w.ok([
    ...["import", "--merge", "--source-format", "beads", "--input", BEADS],
    ...["--project", "shop"],
  ]);
  await w.ok(["projects", "create", "old"]);
  await w.ok(["projects", "remove", "old"]);
  const open = await w.issue("Open", "--owner", "bea");
  const deleted = await w.issue("Deleted");
  await w.ok(["delete", deleted, "--force", "--confirm", `DELETE web#${deleted}`]);
  await w.ok(["comment", open, "-m", "first", "--idempotency-key", "k1"]);
  const other = await w.issue("Keyed", "--idempotency-key", "k1");
  const closed = await w.issue("Closed");
  await w.ok(["close", closed, ...DONE, "--idempotency-key", "k1"]);
  await w.ok(["next", "--claim", "--idempotency-key", "k1"]);
  await json("tokens", "create", "--actor", "ann", "--idempotency-key", "k1");
  await w.ok(["notify", open, "--to", "cyd", "--message", "look"]);
  const { issue, comments } = await json("show", open);
  const series = await json(
    ...["recurrence", "create", "--title", "Water", "--rrule", "FREQ=WEEKLY"],
    ...["--dtstart", "2026-01-05", "--timezone", "UTC"],
  );
  const documents = {
    job: { ...X, issue: { kind: "existing", uid: issue.uid } },
    workflow: W,
  };
  const defined = async (kind: "job" | "workflow", name: string) => {
    const envelope = JSON.stringify({ name, definition: documents[kind] });
    writeFileSync(join(w.work, `${kind}.json`), envelope);
    const made = await json("cron", kind, "create", "--file", `${kind}.json`);
    return made[kind] as { uid: string; definition_event_uid: string };
  };
  const gone = async (kind: "job" | "workflow") => {
    const { uid, definition_event_uid: event } = await defined(kind, "gone");
    await w.ok(["cron", kind, "delete", uid, "--expected-event-uid", event]);
    return uid;
  };
  const jobs = {
    goneJob: await gone("job"),
    goneFlow: await gone("workflow"),
    job: (await defined("job", "job")).uid,
    flow: (await defined("workflow", "flow")).uid,
  };
  await w.ok(["projects", "create", "copied"]);
  await w.ok(["create", "refused", "--project", "copied"]);
  await w.daemon.stop();
  await plantQuarantine(join(w.home, "svc.db"), "copied", "refused");
  await w.restart({});
  return {
    w,
    open,
    other,
    deleted,
    closed,
    comment: String(comments[0].uid),
    series: String(series.recurrence.uid),
    ...jobs,
  };
}

type GivenWorld = Awaited<ReturnType<typeof given>>;

/** For each command, a line that succeeds without the guard, and the guard with a value that does not hold. */
const LINES: Readonly<Record<string, (on: GivenWorld) => readonly string[]>> = {
  "assign --fence": ({ open }) => [open, "cyd", "--fence", "7"],
  "block --fence": ({ open, other }) => [open, other, "--fence", "7"],
  "claim --fence": ({ open }) => [open, "--force", "--fence", "7"],
  "claim --if-unowned": ({ open }) => [open, "--if-unowned"],
  "close --dry-run": ({ open }) => [open, ...DONE, "--dry-run"],
  "close --fence": ({ open }) => [open, ...DONE, "--fence", "7"],
  "close --idempotency-key": ({ open }) => [open, ...DONE, "--idempotency-key", "k1"],
  "close --if-match": ({ open }) => [open, ...DONE, "--if-match", "99"],
  "comment --fence": ({ open }) => [open, "-m", "x", "--fence", "7"],
  "comment --idempotency-key": ({ open }) => [open, "-m", "x", "--idempotency-key", "k1"],
  "comment:edit --fence": ({ open, comment }) => [open, comment, "-m", "x", "--fence", "7"],
  "create --idempotency-key": () => ["Another", "--force-new", "--idempotency-key", "k1"],
  "cron:job:delete --expected-event-uid": ({ job }) => [job, "--expected-event-uid", STRANGE],
  "cron:job:disable --expected-event-uid": ({ job }) => [job, "--expected-event-uid", STRANGE],
  "cron:job:enable --expected-event-uid": ({ job }) => [job, "--expected-event-uid", STRANGE],
  "cron:job:restore --expected-event-uid": ({ goneJob }) => [
    goneJob,
    "--expected-event-uid",
    STRANGE,
  ],
  "cron:job:update --expected-event-uid": ({ job }) => [
    ...[job, "--file", "job.json"],
    ...["--expected-event-uid", STRANGE],
  ],
  "cron:workflow:delete --expected-event-uid": ({ flow }) => [
    flow,
    "--expected-event-uid",
    STRANGE,
  ],
  "cron:workflow:restore --expected-event-uid": ({ goneFlow }) => [
    goneFlow,
    "--expected-event-uid",
    STRANGE,
  ],
  "cron:workflow:update --expected-event-uid": ({ flow }) => [
    ...[flow, "--file", "workflow.json"],
    ...["--expected-event-uid", STRANGE],
  ],
  "deadline --fence": ({ open }) => [open, "2026-09-01", "--fence", "7"],
  "deadline --if-match": ({ open }) => [open, "2026-09-01", "--if-match", "99"],
  "delete --confirm": ({ open }) => [open, "--force", "--confirm", "DELETE"],
  "delete --fence": ({ open }) => [
    ...[open, "--force", "--confirm", `DELETE web#${open}`],
    ...["--fence", "7"],
  ],
  "dep:add --fence": ({ open, other }) => [open, other, "--fence", "7"],
  "dep:rm --fence": ({ open, other }) => [open, other, "--fence", "7"],
  "done --dry-run": ({ open }) => [open, ...EVIDENCE, "--dry-run"],
  "done --fence": ({ open }) => [open, ...EVIDENCE, "--fence", "7"],
  "done --idempotency-key": ({ open }) => [open, ...EVIDENCE, "--idempotency-key", "k1"],
  "done --if-match": ({ open }) => [open, ...EVIDENCE, "--if-match", "99"],
  "edit --fence": ({ open }) => [open, "--title", "Other", "--fence", "7"],
  "federation:quarantine:retry --confirm": () => ["1", "--project", "copied", "--confirm", "RETRY"],
  "federation:quarantine:skip --confirm": () => ["1", "--project", "copied", "--confirm", "SKIP"],
  "import --dry-run": () => [
    ...["--merge", "--source-format", "beads", "--input", BEADS],
    "--dry-run",
  ],
  "import:undo --dry-run": () => ["last", "--project", "shop", "--dry-run"],
  "label:add --fence": ({ open }) => [open, "ui", "--fence", "7"],
  "label:rm --fence": ({ open }) => [open, "bug", "--fence", "7"],
  "lease:acquire --fence": ({ open }) => [open, "--fence", "7"],
  "lease:force-release --fence": ({ open }) => [open, "--as", "ann", "--fence", "7"],
  "lease:release --fence": ({ open }) => [open, "--fence", "7"],
  "lease:renew --fence": ({ open }) => [open, "--ttl", "5m", "--fence", "7"],
  "lease:steal --fence": ({ open }) => [open, "--as", "ann", "--fence", "7"],
  "link --fence": ({ open, other }) => [open, "related", other, "--fence", "7"],
  "mcp:install --dry-run": () => ["--client", "codex", "--scope", "user", "--dry-run"],
  "mcp:uninstall --dry-run": () => ["--client", "codex", "--scope", "user", "--dry-run"],
  "meta:set --fence": ({ open }) => [open, "area", "ui", "--fence", "7"],
  "meta:set --if-match": ({ open }) => [open, "area", "ui", "--if-match", "99"],
  "meta:unset --fence": ({ open }) => [open, "team", "--fence", "7"],
  "meta:unset --if-match": ({ open }) => [open, "team", "--if-match", "99"],
  "move --dry-run": ({ open }) => [open, "shop", "--dry-run"],
  "move --fence": ({ open }) => [open, "shop", "--fence", "7"],
  "next --idempotency-key": () => ["--lease", "5m", "--idempotency-key", "k1"],
  "notify --event-uid": ({ open }) => [open, "--to", "cyd", "--clear", "--event-uid", STRANGE],
  "notify --fence": ({ open }) => [open, "--to", "cyd", "--message", "x", "--fence", "7"],
  "notify --if-match": ({ open }) => [open, "--to", "cyd", "--clear", "--if-match", "99"],
  "projects:meta --if-match": () => ["web", "--set", "role=inbox", "--if-match", "99"],
  "projects:purge --confirm": () => ["old", "--force", "--confirm", "PURGE"],
  "purge --confirm": ({ open }) => [open, "--force", "--confirm", "PURGE"],
  "purge --fence": ({ open }) => [
    ...[open, "--force", "--confirm", `PURGE web#${open}`],
    ...["--fence", "7"],
  ],
  "ready --idempotency-key": () => ["--lease", "5m", "--idempotency-key", "k1"],
  "recurrence:delete --if-match": ({ series }) => [series, "--if-match", "99"],
  "recurrence:update --if-match": ({ series }) => [series, "--title", "x", "--if-match", "99"],
  "reopen --fence": ({ closed }) => [closed, "--fence", "7"],
  "restore --fence": ({ deleted }) => [deleted, "--fence", "7"],
  "schedule --fence": ({ open }) => [open, "2026-09-01", "--fence", "7"],
  "schedule --if-match": ({ open }) => [open, "2026-09-01", "--if-match", "99"],
  "tokens:create --idempotency-key": () => ["--actor", "bea", "--idempotency-key", "k1"],
  "unassign --expect-owner": ({ open }) => [open, "--expect-owner", "zoe"],
  "unassign --fence": ({ open }) => [open, "--fence", "7"],
  "unblock --fence": ({ open, other }) => [open, other, "--fence", "7"],
  "undo --dry-run": () => ["--actor", "ann", "--since", "2025-01-01T00:00:00Z", "--dry-run"],
};

test("every command refuses a change whose guard flag, such as --if-match, does not match, and changes nothing", async () => {
  const on = await given();
  await on.w.ok(["label", "add", on.open, "bug"]);
  await on.w.ok(["meta", "set", on.open, "team", "core"]);
  const log = async () =>
    JSON.parse(await on.w.ok(["events", "--all", "--limit", "1000", "--json"]));
  const before = await log();
  const found: Record<string, string> = {};
  for (const [line, words] of Object.entries(LINES)) {
    const [id = ""] = line.split(" ");
    const { code, err } = await on.w.run([...id.split(":"), ...words(on)]);
    const expected = line.endsWith("--dry-run") ? code === 0 : code === 5 || code === 6;
    if (!expected) found[line] = `exit code ${code} ${err}`;
  }
  expect(found).toEqual({});
  expect(await log()).toEqual(before);
});

test("this test has a command line for every flag that guards a change", async () => {
  const taken: string[] = [];
  for (const [id, file] of commandFiles()) {
    const { flags = {} } = (await import(file)).default as { readonly flags?: object };
    taken.push(...GUARDS.filter((name) => name in flags).map((name) => `${id} --${name}`));
  }
  expect(Object.keys(LINES).toSorted()).toEqual(taken.toSorted());
});

test.each([
  [["list", "--fence", "1"], "takes no --fence"],
  [["create", "x", "--fence", "1"], "takes no --fence"],
  [["next", "--claim", "--fence", "1"], "takes no --fence"],
  [["next", "--idempotency-key", "k"], "add --claim or --lease"],
  [["ready", "--idempotency-key", "k", "--unowned"], "add --claim or --lease"],
  [["lease", "status", "abc4", "--fence", "1"], "takes no --fence"],
  [["move", "abc4", "shop", "--dry-run", "--fence", "1"], "dry-run"],
  [["close", "abc4", ...DONE, "--dry-run", "--comment", "x"], "comment"],
  [["projects", "meta", "--if-match", "1"], "is for a change"],
  [["projects", "meta", "--unset", "a", "--json-value"], "is for --set"],
  [["events", "--project-id", "1", "--project", "web"], "project"],
])(
  "the command line %j is refused, since one of its flags would have no effect",
  async (words, said) => {
    const w = await projectWorld();
    expect(await w.refused(words)).toMatchObject({ code: 2, err: expect.stringContaining(said) });
  },
);
