import { expect, test } from "vitest";
import { instantToMs } from "../../src/base/clock.ts";
import { fittedLog, logView } from "../../src/cli/render/log.ts";
import { boundedView } from "../../src/cli/render/show.ts";

const NOW = { ms: instantToMs("2026-11-30T12:00:00.000Z"), zone: "Europe/Paris" };
const style = {
  paint: (_tone: string, text: string) => text,
  columns: undefined,
  quiet: false,
};

/** A change of the title that lost to one of an actor whose name has a line break. */
const event = {
  ...{ event_id: 7, event_uid: "E7", origin_instance_uid: "O", project_id: 1, project_uid: "P" },
  ...{ project_name: "web", type: "issue.priority_cleared", actor: "sam", payload: {} },
  ...{ hlc_physical_ms: 1, hlc_counter: 0, content_hash: "" },
  created_at: "2026-11-30T09:00:00.000Z",
  overwritten_by: { event_uid: "E8", actor: "an\nn", at: "2026-11-30T09:02:00.000Z" },
};
const log = { events: [event], next_after_id: 7 };

test("svc log says whose change overwrote another, at which local time, and on which day if not today", () => {
  const human = (now: typeof NOW) => logView("abc4", now).human(log, style);
  const row = "2026-11-30 09:00Z  sam  took the priority away";
  expect(human(NOW)).toBe(`${row} (overwritten by an\\nn, 10:02)`);
  const tomorrow = { ...NOW, ms: NOW.ms + 86_400_000 };
  expect(human(tomorrow)).toBe(`${row} (overwritten by an\\nn, 2026-11-30 10:02)`);
  const elsewhere = { ms: instantToMs("2026-11-30T23:30:00.000Z"), zone: "UTC" };
  expect(human(elsewhere)).toBe(`${row} (overwritten by an\\nn, 09:02)`);
});

test("svc log --agent names who overwrote a change, and the exact time", () => {
  const text = logView("abc4", NOW).agent(log, false);
  expect(text).toContain('overwritten_by="an\\nn" overwritten_at=2026-11-30T09:02:00.000Z');
  const { overwritten_by: _, ...ordinary } = event;
  expect(logView("abc4", NOW).agent({ ...log, events: [ordinary] }, false)).not.toContain("over");
});

test("svc log of a copy that was read again shows local events by time among the events of the hub", () => {
  const at = (event_id: number, actor: string, hlc_physical_ms: number, hlc_counter = 0) => ({
    ...event,
    ...{ event_id, actor, hlc_physical_ms, hlc_counter },
  });
  const events = [
    at(5, "leased", 20, 1),
    at(9, "first", 10),
    at(10, "same time", 20),
    at(11, "last", 30),
  ];
  const order = ["first", "same time", "leased", "last"];
  const view = logView("abc4", NOW);
  const found = (text: string) => order.toSorted((a, b) => text.indexOf(a) - text.indexOf(b));
  const page = { events, next_after_id: 11 };
  expect(found(view.human(page, style))).toEqual(order);
  expect(found(view.agent(page, false))).toEqual(order);
  expect(view.agent(page, false)).toContain("next=11");
});

test("svc log with a budget counts the names of those who overwrote changes", () => {
  const events = Array.from({ length: 9 }, (_, at) => ({ ...event, event_id: at + 1 }));
  const size = (chosen: readonly object[]) =>
    Buffer.byteLength(logView("abc4", NOW).human({ ...log, events: [...chosen] } as never, style));
  const fitted = fittedLog({ ...log, events }, size(events.slice(0, 4)) + 200, false, NOW);
  expect(fitted.truncated).toBe(true);
  expect(size(fitted.events)).toBeLessThan(size(events.slice(0, 4)) + 200);
});

test("svc show lists the changes of an issue that were overwritten", () => {
  const issue = {
    ...{ id: 1, uid: "I", short_id: "abc4", qualified_id: "web#abc4", title: "Parser", body: "" },
    ...{ status: "open", author: "ann", labels: [], metadata: {}, revision: 3 },
    ...{ created_at: event.created_at, updated_at: event.created_at },
  };
  const parts = { comments: [], links: [], labels: [], children: [] };
  const shown = { issue, ...parts, overwritten: [event] } as never;
  const view = boundedView(undefined, () => undefined, NOW);
  expect(view.human(shown, style)).toContain(
    "--- overwritten ---\n2026-11-30 09:00Z  sam  took the priority away (overwritten by an\\nn, 10:02)",
  );
  expect(view.agent(shown, false)).toContain(
    "Overwritten: issue.priority_cleared 7 of sam by an\\nn at 2026-11-30T09:02:00.000Z",
  );
});
