import { join } from "node:path";
import { expect, test } from "vitest";
import { agentEvent, eventRow } from "../../src/cli/render/events.ts";
import { plantQuarantine } from "../support/quarantine.ts";
import { projectWorld } from "./harness.ts";

const LIST = ["federation", "quarantine", "list"];
const SHOW = ["federation", "quarantine", "show", "1"];
const SKIP = ["federation", "quarantine", "skip", "1"];
const RETRY = ["federation", "quarantine", "retry", "1"];
const SKIP_TEXT = "SKIP FEDERATION BATCH 1";
const RETRY_TEXT = "RETRY FEDERATION BATCH 1";

/** A copy of `web` whose hub refused the creation of an issue and its label. */
async function refusedCopy(changes: Parameters<typeof plantQuarantine>[3] = {}) {
  const w = await projectWorld();
  const kept = await w.issue("kept");
  const made = await w.issue("refused");
  await w.ok(["label", "add", made, "bug"]);
  await w.daemon.stop();
  await plantQuarantine(join(w.home, "svc.db"), "web", "refused", changes);
  await w.restart({});
  return { w, kept, made };
}

test("svc federation quarantine list and show say what was refused and why, for which issues, and what to type", async () => {
  const { w, made } = await refusedCopy();
  expect(await w.ok(LIST)).toMatch(
    /^ID {2}EVENTS {2}ERROR {7}SINCE +DECIDED {2}THE HUB SAID\n 1 {7}2 {2}validation {2}\S+ \S+ +- {8}event 9: references unknown issue\n$/,
  );
  expect(await w.ok([...LIST, "-q"])).toBe("1\n");
  expect(await w.ok([...LIST, "--agent"])).toMatch(
    /^OK federation_quarantine count=1\n- id=1 direction=push first=\d+ last=\d+ events=2 error=validation since=\S+ said="event 9: references unknown issue"\n$/,
  );
  const shown = await w.ok(SHOW);
  expect(shown).toContain("batch 1: the hub refused 2 events (validation)");
  expect(shown).toContain("the hub said: event 9: references unknown issue\n");
  expect(shown).toMatch(new RegExp(`^ +\\d+ {2}issue.created {2}${made} {2}[0-9A-Z]{26}$`, "m"));
  expect(shown).toMatch(new RegExp(`^ +\\d+ {2}issue.labeled {2}${made} {2}[0-9A-Z]{26}$`, "m"));
  expect(shown).toContain(`svc federation quarantine retry 1 --confirm "${RETRY_TEXT}"\n`);
  expect(shown).toContain(`svc federation quarantine skip 1 --confirm "${SKIP_TEXT}"\n`);
  expect(shown).toContain("The changes of the batch disappear here too");
  expect(await w.ok([...SHOW, "-q"])).toBe(`${made}\n`);
  expect(await w.ok([...SHOW, "--agent"])).toMatch(/^- id=\d+ type=issue.labeled issue=\S{4} /m);
  const { quarantine, events } = JSON.parse(await w.ok([...SHOW, "--json"]));
  expect([quarantine.id, events.length]).toEqual([1, 2]);
  expect(await w.ok(["federation", "status"])).toContain("batch 1 is in quarantine (validation)");
  expect(await w.ok(["federation", "status", "--agent"])).toContain(" quarantine=1 ");
});

test("the commands on a quarantined batch are refused for a missing batch, another project, or an id that is no number", async () => {
  const { w } = await refusedCopy();
  expect((await w.refused(["federation", "quarantine", "show", "x"])).err).toContain("no id of a");
  const missing = await w.refused(["federation", "quarantine", "show", "2"]);
  expect(missing.err).toContain("no such quarantined batch");
  await w.ok(["projects", "create", "other", "-q"]);
  const elsewhere = await w.refused([...SKIP, "--confirm", SKIP_TEXT, "--project", "other"]);
  expect(elsewhere.err).toContain("hint: svc federation quarantine list");
  expect(await w.ok([...LIST, "--project", "other"])).toBe("No batch waits for a decision.\n");
});

test("a skip or retry without its confirmation text is refused, and the error shows the whole command and what a skip does", async () => {
  const { w, made } = await refusedCopy();
  const untold = await w.refused(SKIP);
  expect(untold.err).toContain(`confirm with: ${SKIP_TEXT}. The changes of the batch disappear`);
  expect(untold.err).toContain(`hint: svc federation quarantine skip 1 --confirm "${SKIP_TEXT}"`);
  expect((await w.refused(RETRY)).err).not.toContain("disappear");
  const wrong = await w.refused([...SKIP, "--confirm", RETRY_TEXT]);
  expect(wrong.err).toContain(`confirm with: ${SKIP_TEXT}`);
  const typed = await w.run(SKIP, { typed: "yes" });
  expect([typed.code === 0, typed.err]).toEqual([false, expect.stringContaining("Type SKIP")]);
  expect(await w.ok([...LIST, "-q"])).toBe("1\n");
  expect(await w.ok(["list", "-q"])).toContain(made);
});

test("svc federation quarantine skip says how many events no longer count, and the log marks them as skipped", async () => {
  const { w, kept, made } = await refusedCopy();
  const typed = await w.run([...SKIP, "--reason", "not needed"], { typed: SKIP_TEXT });
  expect([typed.code, typed.out]).toEqual([
    0,
    "batch 1 is skipped: 2 events count no more, and stay in the log\n",
  ]);
  expect(await w.ok(["list", "-q"])).toBe(`${kept}\n`);
  expect((await w.refused(["show", made])).code).toBe(4);
  expect(await w.ok(["events"])).toMatch(/ was purged or taken back: read on with --after \d+\n$/);
  expect(await w.ok(LIST)).toBe("No batch waits for a decision.\n");
  const all = await w.ok([...LIST, "--resolved"]);
  expect(all).toMatch(/skip by ann \S+ \S+/);
  const shown = await w.ok(SHOW);
  expect(shown).toMatch(/^skip by ann .*\nreason: not needed\n$/m);
  expect(shown).toContain("skipped\n");
  expect(shown).not.toContain("--confirm");
});

test("svc federation quarantine retry leaves the issue unchanged, and then the batch cannot be skipped", async () => {
  const { w, made } = await refusedCopy();
  expect(await w.ok([...RETRY, "--confirm", RETRY_TEXT])).toBe(
    "batch 1 is sent again (2 events)\n",
  );
  expect(await w.ok(["log", made])).not.toContain("skipped");
  const again = await w.refused([...SKIP, "--confirm", SKIP_TEXT]);
  expect(again.err).toContain("somebody has decided about that batch already");
});

test("svc events marks an event that was skipped", () => {
  const event = {
    ...{ event_id: 7, event_uid: "01J0000000000000000000EVT7", type: "issue.labeled" },
    ...{ origin_instance_uid: "", project_id: 1, project_uid: "", project_name: "web" },
    ...{ actor: "ann", payload: {}, hlc_physical_ms: 1, hlc_counter: 0, content_hash: "" },
    created_at: "2026-01-01T00:00:00.000Z",
    skipped_at: "2026-01-02T00:00:00.000Z",
  };
  expect(eventRow(event, (_tone, text) => text)).toMatch(/ by ann {2}.* {2}skipped$/);
  expect(agentEvent(event)).toMatch(/ skipped=2026-01-02T00:00:00.000Z$/);
});

test("svc log says that an edit which was skipped no longer counts", async () => {
  const w = await projectWorld();
  const issue = await w.issue("kept");
  await w.ok(["edit", issue, "--title", "edited here"]);
  await w.daemon.stop();
  await plantQuarantine(join(w.home, "svc.db"), "web", "edited here");
  await w.restart({});
  await w.ok([...SKIP, "--confirm", SKIP_TEXT, "-q"]);
  const log = await w.ok(["log", issue]);
  expect(log).toMatch(/ \(skipped, counts no more\) renamed it from "kept" to "edited here"$/m);
  expect(log).toMatch(/ created it: kept$/m);
  expect(await w.ok(["log", issue, "--agent"])).toMatch(/ skipped=\S+Z text="renamed it /);
  const { events } = JSON.parse(await w.ok(["log", issue, "--json"]));
  expect(events.map((event: object) => "skipped_at" in event)).toEqual([false, true]);
  expect(await w.ok(["show", issue])).toContain("kept");
});

test("a batch that hands a project over to the hub is shown with the commands that mend it, and cannot be skipped", async () => {
  const { w } = await refusedCopy({ adopted_through_event_id: 1000 });
  const shown = await w.ok([...SHOW, "--project", "web"]);
  expect(shown).toContain("cannot be given up");
  expect(shown).toContain("svc federation enroll --adopt-existing");
  expect(shown).toContain(
    `\n  svc federation quarantine retry 1 --project web --confirm "${RETRY_TEXT}"\n`,
  );
  expect(shown).not.toContain("quarantine skip");
  expect(await w.ok([...SHOW, "--agent"])).toMatch(/^Cure: .*quarantine retry 1/m);
});
