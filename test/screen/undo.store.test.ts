import { describe, expect, test } from "vitest";
import { instantToMs, msToInstant } from "../../src/base/clock.ts";
import { call } from "../../src/client/call.ts";
import { transportOf } from "../../src/client/transport.ts";
import { listAllIssues } from "../../src/contract/issues.ts";
import { performWrite } from "../../src/screen/effects/writing.ts";
import { issueOf, type WireIssue } from "../../src/screen/issues/issues.ts";
import { update } from "../../src/screen/update.ts";
import { inverseOf } from "../../src/screen/writes/inverse.ts";
import { QUICK, type Write } from "../../src/screen/writes/writes.ts";
import { issue, NOW, type Session, screen } from "../tui/support.ts";
import { pictureOf, type Twins, twins } from "../tui/twins.ts";

const one = (more: Parameters<typeof issue>[1] = {}) => screen(80, 24, [issue(1, more)]);
const answer = (session: Session, changed?: ReturnType<typeof issue>): void => {
  session.tell({ type: "written", id: session.state.writes.sent[0]?.id ?? 0, issue: changed });
};
const said = ({ state }: Session): string => state.messages.notice?.text ?? "";
/** Removes the message, as time does. */
const faded = (session: Session): Session => {
  session.state = { ...session.state, messages: { ...session.state.messages, notice: undefined } };
  return session;
};

describe("undo with u", () => {
  test("first names the change that it will undo if no message offers it, and undoes the change when pressed again", () => {
    const session = one().keys("x");
    answer(session, issue(1, { status: "closed", revision: 2 }));
    expect(said(session)).toBe("closed product#k001   u undo");
    faded(session).keys("u");
    expect(session.writes).toEqual([]);
    expect(said(session)).toBe("u again reopens product#k001");
    expect(session.keys("u").writes).toMatchObject([{ act: "reopen" }]);
    answer(session, issue(1, { revision: 3 }));
    faded(session).keys("U");
    expect(said(session)).toBe("U again closes product#k001");
    expect(session.keys("U").writes).toMatchObject([{ act: "close" }]);
  });

  test("is offered for ten seconds", () => {
    const session = one().keys("x");
    answer(session, issue(1, { status: "closed", revision: 2 }));
    const after = (passed: number): string | undefined => {
      const now = msToInstant(instantToMs(NOW) + passed);
      return update({ ...session.state, now }, { type: "tick" }).state.messages.notice?.text;
    };
    expect([after(9000), after(10_000)]).toEqual(["closed product#k001   u undo", undefined]);
  });

  test.each([
    [["+", "u", "i", "enter"], {}, { labels: ["ui"] }, "takes ui off product#k001"],
    [["!", "0"], { priority: 3 }, { priority: 0 }, "makes product#k001 P3"],
    [["!", "0"], {}, { priority: 0 }, "takes the priority off product#k001"],
    [["A"], { owner: "bo" }, {}, "gives product#k001 to bo"],
    [["e", "!", "ctrl+s"], {}, { title: "Issue number 1!" }, "writes the title of product#k001"],
  ])("names the opposite change after the keys %j", (keys, before, after, does) => {
    const session = one(before).keys(...keys);
    const { owner: _owner, ...left } = before as { owner?: string };
    answer(session, issue(1, { ...(keys[0] === "A" ? left : before), ...after }));
    expect(said(faded(session).keys("u"))).toBe(`u again ${does}`);
  });

  test("undo of a change to issues that had different owners names none of the owners", () => {
    const owners = ["bo", "mei"];
    const before = owners.map((owner, at) => issue(at + 1, { owner }));
    const session = screen(80, 24, before).keys("space", "space", "a", "enter", "y");
    const ids = session.state.writes.sent.map(({ id, write }) => [id, write] as const);
    for (const [id, write] of ids) {
      const changed = before.find(({ uid }) => write.act !== "create" && uid === write.at.uid);
      session.tell({ type: "written", id, issue: changed && { ...changed, owner: "ana" } });
    }
    expect(said(session)).toBe("gave 2 issues to ana   u undo");
    expect(said(faded(session).keys("u"))).toBe("u again changes the owners of 2 issues");
  });

  test("reverts one change after the other, the last first", () => {
    const session = one().keys("!", "0");
    answer(session, issue(1, { priority: 0 }));
    session.keys("+", "u", "i", "enter");
    answer(session, issue(1, { priority: 0, labels: ["ui"] }));
    expect(session.keys("u").writes).toMatchObject([{ act: "unlabel" }]);
    answer(session, issue(1, { priority: 0 }));
    session.keys("u");
    expect(said(session)).toBe("u again takes the priority off product#k001");
    expect(session.keys("u").writes).toMatchObject([{ act: "priority", priority: undefined }]);
  });

  test("moves the cursor to the issue that it restored, and the answer to another change does not", () => {
    const session = screen(80, 24, [issue(1), issue(2)]).keys("G", "!", "0");
    answer(session, issue(1, { priority: 0 }));
    expect(session.keys("u").writes).toMatchObject([{ act: "priority" }]);
    const [back] = session.state.writes.sent;
    session.keys("+", "u", "i", "enter", "k");
    expect(session.cursor).toBe("k002");
    answer(session, issue(1, { labels: ["ui"] }));
    expect(session.cursor).toBe("k002");
    session.tell({ type: "written", id: back?.id ?? 0, issue: issue(1, { labels: ["ui"] }) });
    expect(session.cursor).toBe("k001");
  });

  test("skips an issue that somebody has changed since, and says so", () => {
    const session = one({ priority: 3 }).keys("!", "0");
    answer(session, issue(1, { priority: 0 }));
    const changed = issue(1, { priority: 2, updated_at: "2026-11-21T09:59:00.000Z" });
    session.changed([changed]);
    session.keys("u");
    expect(session.writes).toEqual([]);
    expect(said(session)).toBe("product#k001 changed since: it stays as it is");
    expect(said(session.keys("esc", "u"))).toBe("nothing to undo");
  });

  test("reverts the issues of a batch that nobody has changed since, and names the others", () => {
    const session = screen(80, 24, [issue(1), issue(2)]).keys("space", "space", "!", "0");
    for (const { id, write } of session.state.writes.sent) {
      const uid = write.act === "create" ? "" : write.at.uid;
      session.tell({
        type: "written",
        id,
        issue: { ...issue(uid === issue(1).uid ? 1 : 2), priority: 0 },
      });
    }
    const changed = issue(2, { priority: 1, updated_at: "2026-11-21T09:59:00.000Z" });
    session.changed([changed]);
    session.keys("u");
    expect(session.writes).toMatchObject([{ act: "priority", at: { name: "product#k001" } }]);
    expect(said(session)).toBe("product#k002 changed since: it stays as it is");
  });

  test("may be tried again if the daemon did not answer, but not if it refused", () => {
    const session = one({ priority: 3 }).keys("!", "0");
    answer(session, issue(1, { priority: 0 }));
    session.keys("u");
    const refuse = (code: string): void => {
      session.tell({
        type: "refused",
        id: session.state.writes.sent[0]?.id ?? 0,
        code,
        text: "no",
      });
    };
    refuse("daemon_unavailable");
    expect(session.keys("esc", "u", "u").writes).toMatchObject([{ act: "priority", priority: 3 }]);
    refuse("revision_conflict");
    expect(said(session.keys("esc", "u"))).toBe("nothing to undo");
  });

  test("is not lost if the daemon does not answer", () => {
    const session = one({ priority: 3 }).keys("!", "0");
    answer(session, issue(1, { priority: 0 }));
    session.tell({ type: "live", live: "reconnecting" });
    session.keys("u");
    expect(said(session)).toContain("nothing was sent");
    session.tell({ type: "live", live: "live" });
    expect(session.keys("esc", "u", "u").writes).toMatchObject([{ act: "priority", priority: 3 }]);
  });

  test.each([
    [["m", "i", "n", "f", "r", "a", "enter"], "a move", "m in infra moves it back"],
    [["i", "b", "o", "enter", "h", "i", "enter"], "a request", "c in the inbox of bo clears it"],
    [["enter", "c", "h", "i", "ctrl+s"], "a comment", "C on the open issue edits it"],
  ])(
    "after the keys %j says that %s cannot be undone, which key helps, and what u undoes instead",
    (keys, what, instead) => {
      const why = `${what} is not taken back: ${instead}`;
      const session = one().keys("!", "0");
      answer(session, issue(1, { priority: 0 }));
      session.keys(...keys);
      answer(session, issue(1, { priority: 0 }));
      expect(said(session)).toMatch(new RegExp(` product#k001.*   ${instead}$`));
      session.keys("u");
      expect(said(session)).toBe(`${why}; u again takes the priority off product#k001`);
      const only = one().keys(...keys);
      answer(only, issue(1));
      expect(said(only.keys("u"))).toBe(why);
    },
  );

  test("remembers fifty changes, and a new change clears the redo steps", () => {
    const session = one();
    for (let at = 0; at < 51; at++) {
      session.keys("!", String(at % 2));
      answer(session, issue(1, { priority: at % 2 }));
    }
    expect(session.state.writes.undo).toHaveLength(50);
    session.keys("u");
    answer(session, issue(1, { priority: 1 }));
    expect(session.state.writes.redo).toHaveLength(1);
    session.keys("!", "4");
    answer(session, issue(1, { priority: 4 }));
    expect(said(faded(session).keys("U"))).toBe("nothing to do again");
  });
});

async function issueAt(w: Twins, uid: string) {
  const { issues } = await call(w.client, listAllIssues, { query: { issue_uid: [uid] } });
  const [found] = issues;
  return found === undefined ? undefined : issueOf(found as WireIssue);
}

/** Makes a write on a real daemon, and returns the write that undoes it. */
async function made(w: Twins, write: Write): Promise<Write> {
  const before = write.act === "create" ? undefined : await issueAt(w, write.at.uid);
  const { issue: after, closed } = await performWrite(transportOf(w.client), "ann", write);
  const inverse = inverseOf(write, before, after, { closed });
  if (inverse === undefined) throw new Error(`${write.act} has no opposite`);
  return inverse;
}

const MESSAGE = "What holds now is said here, in a sentence that is long enough for wontfix.";

describe("undo on a real daemon", () => {
  test.each<[string, (w: Twins) => Write, ((w: Twins) => readonly string[])?]>([
    [
      "title and text",
      ({ screen: at }) => ({ act: "edit", at, title: "New", body: "New", revision: undefined }),
    ],
    ["owner", ({ screen: at }) => ({ act: "assign", at, owner: "cy" })],
    ["no owner", ({ screen: at }) => ({ act: "unassign", at })],
    ["label", ({ screen: at }) => ({ act: "label", at, label: "ui" })],
    ["label off", ({ screen: at }) => ({ act: "unlabel", at, label: "bug" })],
    ["priority", ({ screen: at }) => ({ act: "priority", at, priority: 0 })],
    [
      "dates",
      ({ screen: at }) => ({
        act: "metadata",
        at,
        patch: { someday: true, deadline_on: "2027-01-01" },
      }),
    ],
    [
      "parent",
      ({ screen: at, other }) => ({
        act: "link",
        at,
        change: { kind: "parent", does: "add", refs: [other] },
      }),
    ],
    [
      "other parent",
      ({ screen: at, shell }) => ({
        act: "link",
        at,
        change: { kind: "parent", does: "add", refs: [shell.ref] },
      }),
      ({ screen, other }) => ["edit", screen.ref, "--parent", other],
    ],
    [
      "blocker",
      ({ screen: at, other }) => ({
        act: "link",
        at,
        change: { kind: "blocked_by", does: "add", refs: [other] },
      }),
    ],
    [
      "blocker off",
      ({ screen: at, other }) => ({
        act: "link",
        at,
        change: { kind: "blocked_by", does: "remove", refs: [other] },
      }),
      ({ screen, other }) => ["edit", screen.ref, "--blocked-by", other],
    ],
    [
      "blocks",
      ({ screen: at, other }) => ({
        act: "link",
        at,
        change: { kind: "blocks", does: "add", refs: [other] },
      }),
    ],
    [
      "related",
      ({ screen: at, other }) => ({
        act: "link",
        at,
        change: { kind: "related", does: "add", refs: [other] },
      }),
    ],
    ["close", ({ screen: at }) => ({ act: "close", at, ...QUICK })],
    [
      "reopen",
      ({ screen: at }) => ({ act: "reopen", at }),
      ({ screen }) => ["close", screen.ref, "--wontfix", "-m", MESSAGE],
    ],
    ["delete", ({ screen: at }) => ({ act: "delete", at })],
  ])("undoes a change (%s), redoes it and undoes it again", async (_name, write, before) => {
    const w = await twins();
    if (before !== undefined) await w.ok(before(w));
    const untouched = await pictureOf(w, w.screen.uid);
    const back = await made(w, write(w));
    const touched = await pictureOf(w, w.screen.uid);
    expect(touched).not.toEqual(untouched);
    const again = await made(w, back);
    expect(await pictureOf(w, w.screen.uid)).toEqual(untouched);
    const last = await made(w, again);
    expect(await pictureOf(w, w.screen.uid)).toEqual(touched);
    await performWrite(transportOf(w.client), "ann", last);
    expect(await pictureOf(w, w.screen.uid)).toEqual(untouched);
  });

  test("undoing a reopen restores the earlier close with its message", async () => {
    const w = await twins();
    const commits = ["--commit", "1f2e3d4", "--commit", "2f2e3d4", "--reviewed", "a b.ts"];
    await w.ok(["close", w.screen.ref, "--done", "-m", MESSAGE, ...commits]);
    await performWrite(
      transportOf(w.client),
      "ann",
      await made(w, { act: "reopen", at: w.screen }),
    );
    const { events } = (await w.json(
      "events",
      "--issue",
      w.screen.ref,
      "--type",
      "issue.closed",
    )) as {
      events: { payload: { reason: string; message: string; evidence: unknown } }[];
    };
    const [first, second] = events.map(({ payload: { reason, message, evidence } }) => [
      reason,
      message,
      evidence,
    ]);
    expect(second).toEqual(first);
  });

  test("deletes a new issue if nobody has changed it", async () => {
    const w = await twins();
    const project = { id: w.screen.project_id, name: "web" };
    const more = {
      owner: undefined,
      priority: undefined,
      labels: [],
      parent: undefined,
      force_new: true,
    };
    const back = await made(w, {
      act: "create",
      project,
      title: "Slip",
      body: "",
      key: "k",
      ...more,
    });
    if (back.act !== "delete") throw new Error("a new issue is deleted");
    await w.ok(["label", "add", back.at.ref, "taken"]);
    await expect(performWrite(transportOf(w.client), "ann", back)).rejects.toMatchObject({
      code: "revision_conflict",
    });
    await w.ok(["label", "rm", back.at.ref, "taken"]);
    const restore = await made(w, back);
    expect(await issueAt(w, back.at.uid)).toBeUndefined();
    await performWrite(transportOf(w.client), "ann", restore);
    expect(await issueAt(w, back.at.uid)).toMatchObject({ title: "Slip" });
  });

  test.each<readonly [string, (w: Twins) => Write, (w: Twins) => readonly string[]]>([
    [
      "title",
      ({ screen: at }) => ({
        act: "edit",
        at,
        title: "Mine",
        body: undefined,
        revision: undefined,
      }),
      ({ screen }) => ["edit", screen.ref, "--title", "Theirs"],
    ],
    [
      "priority",
      ({ screen: at }) => ({ act: "priority", at, priority: 0 }),
      ({ screen }) => ["edit", screen.ref, "--priority", "1"],
    ],
    [
      "owner",
      ({ screen: at }) => ({ act: "assign", at, owner: "cy" }),
      ({ screen }) => ["assign", screen.ref, "dee"],
    ],
    [
      "label",
      ({ screen: at }) => ({ act: "label", at, label: "ui" }),
      ({ screen }) => ["label", "rm", screen.ref, "ui"],
    ],
    [
      "parent",
      ({ screen: at, other }) => ({
        act: "link",
        at,
        change: { kind: "parent", does: "add", refs: [other] },
      }),
      ({ screen, shell }) => ["edit", screen.ref, "--parent", shell.ref],
    ],
    [
      "dates",
      ({ screen: at }) => ({ act: "metadata", at, patch: { deadline_on: "2027-01-01" } }),
      ({ screen }) => ["deadline", screen.ref, "2027-01-02"],
    ],
    [
      "state",
      ({ screen: at }) => ({ act: "close", at, ...QUICK }),
      ({ screen }) => ["reopen", screen.ref],
    ],
  ])(
    "does not overwrite a value that somebody has changed since: %s",
    async (_name, write, theirs) => {
      const w = await twins();
      const back = await made(w, write(w));
      await w.ok(theirs(w));
      const picture = await pictureOf(w, w.screen.uid);
      await expect(performWrite(transportOf(w.client), "ann", back)).rejects.toMatchObject({
        code: "revision_conflict",
        message: expect.stringContaining("was changed since"),
      });
      expect(await pictureOf(w, w.screen.uid)).toEqual(picture);
    },
  );

  test("is not stopped by somebody else's change of another field", async () => {
    const w = await twins();
    const back = await made(w, { act: "priority", at: w.screen, priority: 0 });
    await w.ok(["assign", w.screen.ref, "dee"]);
    await w.ok(["move", w.screen.ref, "infra"]);
    await performWrite(transportOf(w.client), "ann", back);
    expect(await issueAt(w, w.screen.uid)).toMatchObject({ priority: 3, owner: "dee" });
  });

  test("restores a comment's previous text, unless it was edited since", async () => {
    const w = await twins();
    const { comments } = (await w.json("show", w.screen.ref)) as { comments: { uid: string }[] };
    const comment = comments[0]?.uid ?? "";
    const edit = { act: "edit-comment", at: w.screen, comment } as const;
    const untouched = await pictureOf(w, w.screen.uid);
    const back = await made(w, { ...edit, body: "better", before: "as it was" });
    await w.ok(["comment", "edit", w.screen.ref, comment, "-m", "best"]);
    await expect(performWrite(transportOf(w.client), "ann", back)).rejects.toMatchObject({
      code: "revision_conflict",
    });
    await w.ok(["comment", "edit", w.screen.ref, comment, "-m", "better"]);
    await performWrite(transportOf(w.client), "ann", back);
    expect(await pictureOf(w, w.screen.uid)).toEqual(untouched);
  });
});
