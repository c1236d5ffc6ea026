import { describe, expect, test } from "vitest";
import {
  admitsWork,
  armedState,
  type IdleEvent,
  type IdleState,
  nextIdleState,
} from "../../../src/daemon/idle/idle.ts";

const TIMEOUT = 60_000;
const NOW = 1_000_000;

const before = { name: "armed", deadline: NOW + 1, work: 0 } as const;
const due = { name: "armed", deadline: NOW, work: 0 } as const;
const dueWorking = { name: "armed", deadline: NOW, work: 2 } as const;
const one = { name: "foreground", requests: 1, work: 1 } as const;
const two = { name: "foreground", requests: 2, work: 0 } as const;
const blocked = { name: "blocked", deadline: NOW - 5, work: 1 } as const;
const blockedTwice = { name: "blocked", deadline: NOW - 5, work: 2 } as const;
const stopping = { name: "stopping" } as const;

type Case = readonly [from: IdleState, event: IdleEvent["name"], to: IdleState];

describe("each state of idle shutdown handles each event", () => {
  test.each<Case>([
    [before, "request_began", { name: "foreground", requests: 1, work: 0 }],
    [before, "request_ended", before],
    [before, "work_began", { ...before, work: 1 }],
    [before, "work_ended", before],
    [before, "clock", before],
    [due, "clock", stopping],
    [due, "request_began", { name: "foreground", requests: 1, work: 0 }],
    [due, "request_ended", due],
    [due, "work_began", { ...due, work: 1 }],
    [due, "work_ended", due],
    [dueWorking, "clock", { name: "blocked", deadline: NOW, work: 2 }],
    [dueWorking, "work_ended", { ...dueWorking, work: 1 }],
    [one, "request_began", { ...one, requests: 2 }],
    [one, "request_ended", { name: "armed", deadline: NOW + TIMEOUT, work: 1 }],
    [one, "work_began", { ...one, work: 2 }],
    [one, "work_ended", { ...one, work: 0 }],
    [one, "clock", one],
    [two, "request_ended", { ...two, requests: 1 }],
    [blocked, "request_began", { name: "foreground", requests: 1, work: 1 }],
    [blocked, "request_ended", blocked],
    [blocked, "work_began", { ...blocked, work: 2 }],
    [blocked, "work_ended", stopping],
    [blocked, "clock", blocked],
    [blockedTwice, "work_ended", { ...blockedTwice, work: 1 }],
    [stopping, "request_began", stopping],
    [stopping, "request_ended", stopping],
    [stopping, "work_began", stopping],
    [stopping, "work_ended", stopping],
    [stopping, "clock", stopping],
  ])("the state %o becomes, at the event %s, the state %o", (from, event, to) => {
    expect(nextIdleState(from, { name: event }, NOW, TIMEOUT)).toEqual(to);
  });
});

test("the idle interval starts again when the last of several requests ends, not when the first does", () => {
  let state = armedState(NOW, TIMEOUT);
  state = nextIdleState(state, { name: "request_began" }, NOW + 10_000, TIMEOUT);
  state = nextIdleState(state, { name: "request_began" }, NOW + 20_000, TIMEOUT);
  state = nextIdleState(state, { name: "request_ended" }, NOW + 30_000, TIMEOUT);
  state = nextIdleState(state, { name: "clock" }, NOW + 5 * TIMEOUT, TIMEOUT);
  expect(state.name).toBe("foreground");
  state = nextIdleState(state, { name: "request_ended" }, NOW + 6 * TIMEOUT, TIMEOUT);
  expect(state).toEqual({ name: "armed", deadline: NOW + 7 * TIMEOUT, work: 0 });
});

test("background work never delays the idle deadline", () => {
  let state = armedState(NOW, TIMEOUT);
  for (const name of ["work_began", "work_ended", "work_began", "work_ended"] as const) {
    state = nextIdleState(state, { name }, NOW + 30_000, TIMEOUT);
  }
  expect(state).toEqual(armedState(NOW, TIMEOUT));
});

test("new background work may begin until the idle deadline has passed", () => {
  expect([before, one, blocked, stopping].map(admitsWork)).toEqual([true, true, false, false]);
});
