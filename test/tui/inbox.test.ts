import { describe, expect, test } from "vitest";
import { slotOf } from "../../src/domain/inbox/slot.ts";
import type { InboxItem } from "../../src/screen/inbox/state.ts";
import { golden } from "../support/golden.ts";
import { picture, text } from "./picture.ts";
import { issue, liveEvent, type Session, screen } from "./support.ts";

const asked = { "notify.YW5hL2NsaQ": { from: "codex", message: "?" } };
const issues = [
  issue(1, { title: "Federation rotate", priority: 1, owner: "claude" }),
  issue(2, { title: "Cron: native recurring children", metadata: asked }),
  issue(3, { title: "Something else" }),
];

function request(number: number, more: Partial<InboxItem> = {}): InboxItem {
  const { uid, qualified_id: ref, project_id, title } = issues[number - 1] ?? issue(number);
  return {
    to: "ana",
    ref,
    issue_uid: uid,
    project_id,
    title,
    from: "claude",
    message: "rotate is ready for review",
    event_uid: `01JEVENT${number}`,
    requested_at: "2026-11-21T09:56:00.000Z",
    ...more,
  };
}

const unreadable: InboxItem = { to: "ana", ref: "product#k003", fault: "has no text in from" };

const ALL = [
  request(1),
  request(2, {
    from: "cron",
    message: "recurring: weekly dependency check\nsee the report",
    requested_at: "2026-11-21T09:00:00.000Z",
  }),
  request(9, {
    ref: "infra#k009",
    project_id: 2,
    from: "codex",
    to: "ana/cli",
    title: "Retry budget",
  }),
  unreadable,
];

function inbox(
  columns = 80,
  rows = 24,
  requests: readonly InboxItem[] = ALL,
  all = false,
): Session {
  const session = screen(columns, rows, issues).keys("2");
  session.tell({ type: "inbox", address: "ana", all, inbox: { requests, error: undefined } });
  return session;
}

const comment = (author: string, body: string) => ({
  id: 1,
  uid: "01JC",
  issue_id: 1,
  author,
  body,
  created_at: "2026-11-21T06:00:00.000Z",
});

const withComments = (session: Session): Session => {
  const { labels, ...rest } = issue(1, {
    title: "Federation rotate",
    priority: 1,
    owner: "claude",
  });
  const wire = {
    ...rest,
    id: 1,
    labels: [...labels],
    parent: undefined,
    deleted_at: undefined,
    recurrence_uid: undefined,
  };
  const comments = [
    comment("claude", "reproduced with two spokes"),
    comment("ana", "keep the identity resolution"),
  ];
  const show = { issue: wire, comments, links: [], labels: [], children: [] };
  session.tell({ type: "detail", uid: wire.uid, detail: { show, events: [], peers: [] } });
  return session;
};

test.each([
  [80, 24],
  [160, 50],
  [40, 10],
])("the inbox at %ix%i matches its golden picture", (columns, rows) => {
  const seen = text(withComments(inbox(columns, rows)));
  expect(seen).toBe(golden(`test/golden/tui/inbox-${columns}x${rows}.txt`, seen));
});

test("the title counts the requests, on every screen", () => {
  const session = inbox(100).keys("1");
  expect(picture(session)[0]).toContain("2 Inbox(4)");
  session.tell({ type: "inbox", address: "ana", all: false, inbox: { requests: [request(1)] } });
  expect(picture(session)[0]).toContain("2 Inbox(1)");
});

describe("the addresses of the inbox", () => {
  test("are one address, or with A all addresses of the person that have requests", () => {
    const session = inbox().keys("A");
    expect(session.effects).toEqual([
      { effect: "load-inbox", addresses: ["ana", "ana/cli"], all: true, wait: 0 },
    ]);
    expect(picture(session)[1]).toMatch(/^ for ana, ana\/cli +A one address {3}oldest first$/);
    expect(session.keys("A").effects).toContainEqual(
      expect.objectContaining({ addresses: ["ana"], all: false }),
    );
  });

  test("a late answer for addresses that are no longer selected is ignored", () => {
    const session = inbox().keys("A");
    session.tell({ type: "inbox", address: "ana", all: false, inbox: { requests: ALL } });
    expect(session.state.inbox.requests).toBeUndefined();
    session.tell({ type: "inbox", address: "ana", all: true, inbox: { requests: [request(1)] } });
    expect(session.state.inbox.requests).toHaveLength(1);
  });

  test("are replaced with / by another address, which has to be complete", () => {
    const session = inbox().keys("/").fill("worker/a").keys("enter");
    expect(session.effects).toContainEqual({
      effect: "load-inbox",
      addresses: ["worker/a"],
      all: false,
      wait: 0,
    });
  });
});

describe("clearing requests with c", () => {
  test.each([
    [[], "clear the request on product#k001? it does not come back"],
    [["space", "space"], "clear 2 requests? they do not come back"],
  ])("changes nothing until the person confirms it (after the keys %j)", (keys, asked) => {
    const session = inbox().keys(...keys, "c");
    expect(session.writes).toEqual([]);
    expect(text(session)).toContain(asked);
    expect(session.keys("n").writes).toEqual([]);
    expect(session.state.dialog).toBeUndefined();
    expect(session.keys("c", "y").writes).toHaveLength(Math.max(1, keys.length));
  });

  test("clears the request under the cursor by its event, and reads the inbox again", () => {
    const session = inbox().keys("j", "c", "y");
    expect(session.writes).toEqual([
      {
        act: "clear",
        at: { uid: issue(2).uid, project_id: 1, ref: issue(2).uid, name: "product#k002" },
        to: "ana",
        event_uid: "01JEVENT2",
      },
    ]);
    const id = session.state.writes.sent[0]?.id ?? 0;
    const after = session.tell({ type: "written", id, issue: issue(2, { revision: 2 }) });
    expect(after).toContainEqual(expect.objectContaining({ effect: "load-inbox", wait: 0 }));
  });

  test("clears nothing if a newer request has replaced the shown one, and reads the inbox again", () => {
    const session = inbox().keys("c", "y");
    const id = session.state.writes.sent[0]?.id ?? 0;
    const text_ = "claude asked something else since";
    const after = session.tell({ type: "refused", id, code: "request_replaced", text: text_ });
    expect(after).toContainEqual(expect.objectContaining({ effect: "load-inbox" }));
    expect(session.state.messages.notice).toMatchObject({
      tone: "error",
      text: expect.stringContaining(text_),
    });
    expect(session.state.inbox.requests).toHaveLength(4);
  });

  test("clears all marked requests, and moves the cursor to a request that stays", () => {
    const session = inbox().keys("space", "space");
    expect(session.state.inbox.cursor).toBe(2);
    expect(picture(session)[22]).toMatch(/3\/4 {2}2 marked$/);
    expect(picture(session).filter((line) => line.startsWith(" *"))).toHaveLength(2);
    expect(picture(session.keys("k")).filter((line) => line.startsWith(">*"))).toHaveLength(1);
    session.keys("c", "y");
    expect(session.writes.map((write) => write.act === "clear" && write.at.name)).toEqual([
      "product#k001",
      "product#k002",
    ]);
  });

  test("clears an unreadable request too", () => {
    const session = inbox().keys("G");
    expect(picture(session).join("\n")).toContain("(unreadable request)");
    expect(session.keys("c", "y").writes).toMatchObject([
      {
        act: "clear",
        at: { project_id: 1, ref: "k003" },
        to: "ana",
        event_uid: undefined,
        unreadable: true,
      },
    ]);
  });

  test("C sends the answer to the person who asked, unless that is the one who answers", () => {
    const asked = inbox().keys("C");
    expect(text(asked)).toContain("claude asks: rotate is ready for review");
    const session = asked.type("done, see k9").keys("ctrl+s");
    expect(session.writes).toMatchObject([{ act: "comment" }]);
    const answer = (at: number) => {
      const id = session.state.writes.sent[at]?.id ?? 0;
      return session.tell({ type: "written", id, issue: issue(1, { revision: 2 }) });
    };
    answer(0);
    expect(session.writes).toMatchObject([
      { act: "clear", to: "ana" },
      { act: "notify", to: "claude", message: "answered: done, see k9" },
    ]);
    const told = answer(0);
    expect(told).toContainEqual(expect.objectContaining({ effect: "load-inbox" }));
    expect(session.state.messages.notice?.text).toContain("told claude the answer on product#k001");
    const own = inbox(80, 24, [request(1, { from: "ana" })]).keys("C");
    expect(text(own)).not.toContain("tell ana");
  });

  test("C comments before it clears the request and notifies the asker", () => {
    const session = inbox().keys("C").type("done").keys("ctrl+s");
    expect(session.writes).toMatchObject([{ act: "comment", body: "done" }]);
    const id = session.state.writes.sent[0]?.id ?? 0;
    session.tell({ type: "written", id, issue: issue(1, { revision: 2 }) });
    expect(session.writes).toMatchObject([
      { act: "clear", event_uid: "01JEVENT1" },
      { act: "notify", to: "claude" },
    ]);
    expect(session.state.dialog).toBeUndefined();
  });

  test("clears nothing if the comment was refused or given up after C", () => {
    const session = inbox().keys("C").type("done").keys("ctrl+s");
    const id = session.state.writes.sent[0]?.id ?? 0;
    session.tell({ type: "refused", id, code: "validation", text: "no" });
    expect(session.state.dialog).toMatchObject({ error: "no" });
    session.keys("esc", "esc");
    expect(session.state.writes.sent.map(({ write }) => write.act)).toEqual(["comment"]);
  });
});

test("the cursor stays on its request when others arrive", () => {
  const session = inbox().keys("j");
  const requests = [request(4, { title: "new" }), ...ALL];
  session.tell({ type: "inbox", address: "ana", all: false, inbox: { requests } });
  expect(session.state.inbox.cursor).toBe(2);
});

test("esc leads from an issue back to the inbox from which it was opened", () => {
  const session = inbox().keys("enter");
  expect(session.state.detail.open).toEqual([issue(1).uid]);
  expect(session.keys("esc").state.screen).toBe("inbox");
});

test.each([
  ["issue.metadata_updated", true],
  ["issue.closed", true],
  ["project.removed", true],
  ["issue.commented", false],
  ["cron.run.observed", false],
])(
  "the event %s loads the requests again, once for all events within a short time: %s",
  (kind, isRead) => {
    const effects = inbox().tell({ type: "events", events: [liveEvent({ kind })] });
    const loads = effects.filter(({ effect }) => effect === "load-inbox");
    expect(loads).toEqual(isRead ? [expect.objectContaining({ wait: 150 })] : []);
  },
);

test.each([
  [{ requests: undefined }, "  loading..."],
  [{ requests: [] }, "  nobody asks ana for anything"],
  [{ requests: undefined, error: "no daemon is running" }, "no daemon is running"],
])("an inbox without requests says why (%#)", (part, said) => {
  const session = screen(80, 24, issues).keys("2");
  session.tell({ type: "inbox", address: "ana", all: false, inbox: part });
  expect(picture(session)[3]).toBe(said);
});

test("a recipient's address is encoded in the key of a request as the contract says", () => {
  expect(Object.keys(asked)).toEqual([slotOf("ana/cli")]);
});
