import { describe, expect, test } from "vitest";
import { performWrite } from "../../src/screen/effects/writing.ts";
import { issueOf, type WireIssue } from "../../src/screen/issues/issues.ts";
import type { Transport } from "../../src/shared/transport.ts";
import { text } from "../tui/picture.ts";
import { issue, type Session, screen } from "../tui/support.ts";

const SYNCED = { provider: "github", number: 12, url: "https://github.com/ann/web/issues/12" };

const one = (more: Parameters<typeof issue>[1] = {}) => screen(80, 24, [issue(1, more)]);

/** Answers all writes, as a daemon does that finds that the host owns what was edited of synced issues. */
function answerAll(session: Session, owned: readonly string[]): string {
  for (const { id, before } of session.state.writes.sent.toReversed()) {
    const hostOwned = before?.synced === undefined ? undefined : owned;
    session.tell({ type: "written", id, issue: before, hostOwned });
  }
  return session.state.messages.notice?.text ?? "";
}

describe("an issue that a code host owns", () => {
  test("names the host in its row of a list, unless its title names the host already", () => {
    const rows = (title: string) =>
      text(screen(120, 24, [issue(1, { title, synced: SYNCED })]))
        .split("\n")
        .filter((line) => line.includes("GitHub #12"));
    expect(rows("Crash at start")[0]).toContain("Crash at start GitHub #12");
    expect(rows("[GitHub #12] Crash")[0]).not.toMatch(/GitHub #12.*GitHub #12/);
    expect(text(one())).not.toContain("GitHub");
  });

  test("names the host in the form for title and text", () => {
    expect(text(one({ synced: SYNCED }).keys("e"))).toContain("GitHub #12 owns title and text");
    expect(text(one().keys("e"))).not.toContain("owns");
  });

  test("is edited with a warning about the fields that the host may change back, and an undo is still offered", () => {
    const session = one({ synced: SYNCED }).keys("e", "!", "ctrl+s");
    expect(answerAll(session, ["title"])).toMatch(
      /, though GitHub #12 owns title and may undo it {3}\S/,
    );
  });

  test("is edited without a warning if the host does not own the field, as is an issue that no host owns", () => {
    const own = one().keys("e", "!", "ctrl+s");
    expect(answerAll(own, ["title"])).not.toContain("though");
    const urgent = one({ synced: SYNCED }).keys("!", "0");
    for (const { id } of urgent.state.writes.sent)
      urgent.tell({ type: "written", id, issue: issue(1) });
    expect(urgent.state.messages.notice?.text).not.toContain("though");
  });

  test("is counted in the warning if several issues are edited at once", () => {
    const issues = [issue(1, { synced: SYNCED }), issue(2, { synced: SYNCED }), issue(3)];
    const session = screen(80, 24, issues);
    session.state = { ...session.state, marks: new Set(issues.map(({ uid }) => uid)) };
    session.keys("a").type("bo").keys("enter");
    expect(session.state.writes.sent).toHaveLength(3);
    expect(answerAll(session, ["owner"])).toContain(
      ", though the code host that owns 2 of them may undo it there",
    );
  });
});

test("the answer to a change contains the host's issue and the fields that the host owns", async () => {
  const { parent: _parent, ...known } = issue(1);
  const links = { blocks: [], blocked_by: [], related: [], deleted_at: undefined };
  const wire = { ...known, ...links, synced: SYNCED } as unknown as WireIssue;
  const warnings = [{ code: "other" }, { code: "host_owned", message: "", fields: ["owner"] }];
  const daemon = {
    call: async (route: string) => ({
      issue: wire,
      ...(route === "assignIssue" ? { warnings } : {}),
    }),
  } as unknown as Transport;
  const at = { uid: known.uid, project_id: 1, ref: known.short_id, name: known.qualified_id };
  const assigned = await performWrite(daemon, "ann", { act: "assign", at, owner: "bo" });
  expect(assigned).toMatchObject({ issue: { synced: SYNCED }, hostOwned: ["owner"] });
  const ranked = await performWrite(daemon, "ann", { act: "priority", at, priority: 1 });
  expect(ranked).not.toHaveProperty("hostOwned");
  expect(issueOf({ ...wire, synced: undefined })).not.toHaveProperty("synced");
});
