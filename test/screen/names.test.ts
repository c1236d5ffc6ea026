import { expect, test } from "vitest";
import type { CronRun } from "../../src/screen/cron/state.ts";
import type { FleetRow } from "../../src/screen/fleet/state.ts";
import type { InboxItem } from "../../src/screen/inbox/state.ts";
import { run } from "../tui/cron-support.ts";
import { picture } from "../tui/picture.ts";
import { issue, NOW, type Session, screen } from "../tui/support.ts";

const NAMES = ["beads/crew/ana", "beads/crew/bob"] as const;
const [ANA, BOB] = NAMES;

const issues = NAMES.map((owner, at) => issue(at + 1, { owner, title: "Same" }));

function asked(session: Session): Session {
  const requests = NAMES.map(
    (from, at): InboxItem => ({
      ...{ to: at === 0 ? BOB : ANA, ref: `product#k00${at}`, from, message: "look" },
      ...{ title: "Same", requested_at: NOW },
    }),
  );
  session.tell({ type: "inbox", address: "ana", all: false, inbox: { requests } });
  return session;
}

function held(session: Session): Session {
  const rows = issues.map(
    ({ uid, project_id, short_id: ref, qualified_id: name, title, owner = "" }): FleetRow => ({
      ...{
        at: { uid, project_id, ref, name },
        title,
        status: "open" as const,
        holder: owner,
        owner,
      },
      ...{ since: NOW, lease: undefined, last: undefined },
    }),
  );
  session.tell({ type: "fleet", project_id: 1, fleet: { rows } });
  return session;
}

function ran(session: Session): Session {
  const runs = NAMES.map((actor, at): CronRun => run(at, { actor, teammate: actor }));
  session.tell({ type: "cron", cron: { runs, more: undefined } });
  return session;
}

test.each([
  ["the board", (columns: number) => screen(columns, 30, issues), 80, 1],
  ["the wide board", (columns: number) => screen(columns, 30, issues), 160, 1],
  ["the pane of owners", (columns: number) => screen(columns, 30, issues), 140, 1],
  ["the cards of lanes", (columns: number) => screen(columns, 30, issues).keys("v", "v"), 120, 1],
  [
    "the names of lanes",
    (columns: number) => screen(columns, 30, issues).keys("v", "v", "v"),
    80,
    1,
  ],
  [
    "the inbox, from and to",
    (columns: number) => asked(screen(columns, 30, issues).keys("2")),
    80,
    2,
  ],
  ["the fleet", (columns: number) => held(screen(columns, 30, issues).keys("6")), 60, 1],
  ["runs, by and teammate", (columns: number) => ran(screen(columns, 30, issues).keys("4")), 80, 2],
] as const)(
  "names with the same beginning are distinguishable in %s",
  (_where, open, columns, times) => {
    const drawn = picture(open(columns)).join("\n");
    const ends = (name: string) =>
      drawn.match(new RegExp(`[~/]${name}(?=\\s|$)`, "g"))?.length ?? 0;
    expect(ends("ana")).toBeGreaterThanOrEqual(times);
    expect(ends("bob")).toBeGreaterThanOrEqual(times);
    expect(drawn).not.toMatch(/beads\/[a-z/]*~/);
  },
);
