import { describe, expect, test } from "vitest";
import {
  type HubAnswers,
  isHeld,
  type Mapping,
  type MappingBinding,
  type MappingCredential,
  type MappingStep,
  mappingBackoffMs,
  nextMappingStep,
  type Standing,
} from "../../../src/domain/federation/mapping.ts";

const MAPPING: Mapping = {
  hub: "team",
  hub_url: "https://hub.example",
  spoke_project: "a",
  hub_project: "b",
  actor: "sam",
};
const HERE = "INSTANCE";
const HUB = { id: 7, uid: "HUB-B" };
const BASELINE = { from: 3, through: 5 };

const TOKEN: MappingCredential = {
  project_uid: HUB.uid,
  hub_url: MAPPING.hub_url,
  hub_project_id: HUB.id,
  capabilities: ["claim", "pull", "push"],
  actor: "",
  spoke_instance_uid: HERE,
  managed: {
    hub_catalog: "team",
    hub_project_name: "b",
    requested_actor: "sam",
    spoke_project_name: "a",
  },
};
const USED = { ...TOKEN, actor: "sam" };
const BINDING: MappingBinding = {
  role: "spoke",
  enabled: true,
  hub_url: MAPPING.hub_url,
  hub_project_id: HUB.id,
  hub_project_uid: HUB.uid,
  bound_actor: "sam",
  sends: true,
};
const EMPTY: Standing = {
  instance_uid: HERE,
  project: undefined,
  binding: undefined,
  leaves: false,
  credentials: [],
  wasHeld: false,
};
const OWN = { ...EMPTY, project: { uid: "OWN", archived: false } };
const BOUND = {
  ...EMPTY,
  project: { uid: HUB.uid, archived: false },
  binding: BINDING,
  credentials: [USED],
};
const LEAVING = { ...TOKEN.managed, leave: { pending_enrollment_id: 0 } } as NonNullable<
  MappingCredential["managed"]
>;
const { managed: _managed, ...BY_HAND } = USED;

const next = (standing: Standing, answers: HubAnswers = {}) =>
  nextMappingStep(MAPPING, standing, answers);

describe("the next step for a project that config.toml maps to a hub", () => {
  const known = { project: HUB };
  const enabled = { ...known, baseline: BASELINE };
  const reserved = { ...OWN, credentials: [TOKEN] };
  const enrolled = { ...enabled, enrolled: { id: 4, actor: "ann" } };
  test.each<[string, Standing, HubAnswers, object]>([
    ["this daemon has no such project", EMPTY, {}, { do: "create_project" }],
    ["this daemon has the project", OWN, {}, { do: "resolve" }],
    ["the hub has no such project", OWN, { project: "missing" }, { do: "create_hub_project" }],
    ["the hub has the project", OWN, known, { do: "enable", project: HUB }],
    ["the project is federated on the hub", OWN, enabled, { do: "reserve", project: HUB }],
    ["a token is reserved", reserved, enabled, { do: "enroll", how: "create", with: TOKEN }],
    [
      "the project was bound before the token was used",
      { ...BOUND, credentials: [TOKEN] },
      enabled,
      { do: "enroll", how: "rotate", with: TOKEN },
    ],
    [
      "the project is bound, but its token was lost",
      { ...BOUND, credentials: [] },
      enabled,
      { do: "reserve" },
    ],
    [
      "the hub knows the token",
      reserved,
      { ...enabled, enrolled: "refused" },
      { do: "look_up", with: TOKEN },
    ],
    [
      "an own project is to be handed over to the hub",
      reserved,
      enrolled,
      { do: "join", with: TOKEN, baseline: BASELINE, actor: "ann", adopts: true },
    ],
    [
      "the project had left that hub",
      { ...reserved, project: { uid: HUB.uid, archived: false } },
      enrolled,
      { do: "join", adopts: false },
    ],
    ["project, binding and token are complete", BOUND, known, { do: "finish", as: "reconciled" }],
    [
      "the copy must still read before it may send",
      { ...BOUND, binding: { ...BINDING, sends: true } },
      known,
      { do: "finish", as: "reconciled" },
    ],
    [
      "the copy only reads",
      { ...BOUND, binding: { ...BINDING, sends: false } },
      enabled,
      { do: "join", with: USED, actor: "sam", adopts: false },
    ],
    [
      "the project was joined by hand as the same actor",
      { ...BOUND, credentials: [BY_HAND] },
      known,
      { do: "finish", as: "reconciled" },
    ],
    [
      "an earlier binding or token of the project is gone",
      { ...OWN, wasHeld: true },
      {},
      { do: "finish", as: "left" },
    ],
  ])("is the right one when %s", (_when, standing, answers, step) => {
    expect(next(standing, answers)).toMatchObject(step);
  });
});

describe("a leave that is pending", () => {
  const leaving = { ...BOUND, credentials: [{ ...USED, managed: LEAVING }] };
  const noted = { ...LEAVING, leave: { pending_enrollment_id: 4 } };
  test.each<[string, Standing, HubAnswers, object]>([
    ["finds the enrollment by its token", leaving, {}, { do: "enroll", how: "rotate" }],
    [
      "repeats the creation of the enrollment if the token was not used",
      { ...leaving, binding: undefined },
      {},
      { how: "create" },
    ],
    [
      "stores the enrollment",
      leaving,
      { enrolled: { id: 4, actor: "sam" } },
      { do: "note_enrollment", id: 4 },
    ],
    [
      "revokes the enrollment that it stored",
      { ...leaving, credentials: [{ ...USED, managed: noted }] },
      {},
      { do: "revoke", id: 4 },
    ],
    [
      "ends when the enrollment is revoked",
      { ...leaving, credentials: [{ ...USED, managed: noted }] },
      { revoked: true },
      { do: "finish", as: "left" },
    ],
    ["ends if the enrollment was revoked before", leaving, { enrolled: "refused" }, { as: "left" }],
    [
      "does not touch a token that was stored by hand",
      { ...BOUND, leaves: true, credentials: [BY_HAND] },
      {},
      { as: "left" },
    ],
    [
      "is noticed by its mark in the database too",
      { ...BOUND, leaves: true },
      {},
      { do: "enroll" },
    ],
  ])("a pending leave %s", (_when, standing, answers, step) => {
    expect(next(standing, answers)).toMatchObject(step);
  });
});

describe("a conflict changes nothing", () => {
  const other = (changes: Partial<NonNullable<MappingCredential["managed"]>>) => ({
    ...OWN,
    credentials: [{ ...TOKEN, managed: { ...(TOKEN.managed ?? LEAVING), ...changes } }],
  });
  const bound = (changes: Partial<MappingBinding>) => ({
    ...BOUND,
    binding: { ...BINDING, ...changes },
  });
  const found = { project: HUB };
  test.each<[string, Standing, HubAnswers]>([
    ["several_tokens", { ...OWN, credentials: [TOKEN, { ...TOKEN, project_uid: "C" }] }, {}],
    ["other_catalog", other({ hub_catalog: "old" }), {}],
    ["other_project", other({ hub_project_name: "c" }), {}],
    ["other_actor", other({ requested_actor: "bea" }), {}],
    ["other_address", { ...OWN, credentials: [{ ...TOKEN, hub_url: "https://x" }] }, {}],
    ["project_archived", { ...OWN, project: { uid: "OWN", archived: true } }, {}],
    ["hub_project_missing", { ...OWN, credentials: [TOKEN] }, { project: "missing" }],
    ["hub_project_recreated", { ...OWN, credentials: [TOKEN] }, { project: { id: 8, uid: "N" } }],
    ["other_project", { ...OWN, credentials: [TOKEN] }, { project: { ...HUB, id: 8 } }],
    [
      "token_of_another_database",
      { ...OWN, credentials: [{ ...TOKEN, spoke_instance_uid: "ELSE" }] },
      found,
    ],
    ["token_of_another", { ...OWN, credentials: [BY_HAND] }, found],
    [
      "token_without_push",
      { ...BOUND, credentials: [{ ...BY_HAND, capabilities: ["pull"] }] },
      found,
    ],
  ])(
    "a conflict of the configuration is reported, and nothing is changed: %s",
    (reason, standing, answers) => {
      const category = "configuration_conflict";
      expect(next(standing, answers)).toEqual({ do: "conflict", category, reason });
    },
  );

  test.each<[string, Standing, HubAnswers]>([
    ["is_hub", bound({ role: "hub" }), {}],
    ["other_address", bound({ hub_url: "https://old.example" }), {}],
    ["disabled", bound({ enabled: false }), {}],
    ["other_project", { ...BOUND, credentials: [{ ...USED, project_uid: "C" }] }, {}],
    ["other_actor", bound({ bound_actor: "bea" }), {}],
    ["other_actor", { ...bound({ bound_actor: "bea" }), credentials: [BY_HAND] }, {}],
    ["hub_project_missing", BOUND, { project: "missing" }],
    ["hub_project_recreated", BOUND, { project: { id: 8, uid: "N" } }],
    ["other_project", BOUND, { project: { ...HUB, id: 8 } }],
  ])(
    "a conflict of the binding is reported, and nothing is changed: %s",
    (reason, standing, answers) => {
      const category = "binding_conflict";
      expect(next(standing, answers)).toEqual({ do: "conflict", category, reason });
    },
  );

  test("an entry of config.toml with another address than the binding is a conflict, whatever the token says", () => {
    const moved = nextMappingStep({ ...MAPPING, hub_url: "https://new.example" }, BOUND, {});
    expect(moved).toMatchObject({ category: "binding_conflict", reason: "other_address" });
  });
});

/** A daemon and a hub, each as little as the steps change. */
interface Both {
  readonly here: Standing;
  readonly hub: {
    readonly project: { readonly id: number; readonly uid: string } | undefined;
    readonly enabled: boolean;
    /** By id, from 1. */
    readonly enrollments: readonly { readonly token: number; readonly active: boolean }[];
  };
  readonly answers: HubAnswers;
  /** The token in the file; each reservation makes a new one. */
  readonly token: number;
  readonly ended: "reconciled" | "left" | undefined;
  readonly hasLeft: boolean;
}

const BEGIN: Both = {
  here: EMPTY,
  hub: { project: undefined, enabled: false, enrollments: [] },
  answers: {},
  token: 0,
  ended: undefined,
  hasLeft: false,
};

/** The hub enrolls the token of the file, as `createFederationEnrollment` and `rotateFederationEnrollment` do. */
function enroll(both: Both, how: "create" | "rotate"): Both {
  const { enrollments } = both.hub;
  const at = enrollments.findIndex(({ token }) => token === both.token);
  if (at >= 0 && enrollments[at]?.active !== true)
    return { ...both, answers: { ...both.answers, enrolled: "refused" } };
  const others =
    how === "create"
      ? enrollments
      : enrollments.map((one) => ({ ...one, active: one.active && one.token === both.token }));
  const made = at >= 0 ? others : [...others, { token: both.token, active: true }];
  const id = at >= 0 ? at + 1 : made.length;
  return {
    ...both,
    hub: { ...both.hub, enrollments: made },
    answers: { ...both.answers, enrolled: { id, actor: "sam" } },
  };
}

const revoke = (both: Both, id: number): Both => ({
  ...both,
  hub: {
    ...both.hub,
    enrollments: both.hub.enrollments.map((one, at) =>
      at + 1 === id ? { ...one, active: false } : one,
    ),
  },
  answers: { ...both.answers, revoked: true },
});

function carryOut(both: Both, step: MappingStep): Both {
  const { here, hub, answers } = both;
  switch (step.do) {
    case "create_project":
      return { ...both, here: { ...here, project: { uid: "OWN", archived: false } } };
    case "resolve":
      return { ...both, answers: { ...answers, project: hub.project ?? "missing" } };
    case "create_hub_project":
      return { ...both, hub: { ...hub, project: HUB }, answers: { ...answers, project: HUB } };
    case "enable":
      return {
        ...both,
        hub: { ...hub, enabled: true },
        answers: { ...answers, baseline: BASELINE },
      };
    case "reserve":
      return { ...both, token: both.token + 1, here: { ...here, credentials: [TOKEN] } };
    case "enroll":
      return enroll(both, step.how);
    case "look_up":
      throw new Error("no token of this history is used up");
    case "note_enrollment": {
      const managed = { ...LEAVING, leave: { pending_enrollment_id: step.id } };
      return { ...both, here: { ...here, credentials: [{ ...step.with, managed }] } };
    }
    case "revoke":
      return revoke(both, step.id);
    case "join":
      return {
        ...both,
        here: {
          ...here,
          project: { uid: HUB.uid, archived: false },
          binding: BINDING,
          credentials: [{ ...step.with, actor: step.actor }],
        },
      };
    case "finish":
      return { ...both, ended: step.as };
    case "conflict":
      throw new Error(`no conflict was planted: ${step.reason}`);
  }
}

/** What a step of `join` does first: the binding is written before the token is stored as used. */
function halfJoined(both: Both, step: MappingStep): Both[] {
  if (step.do !== "join") return [];
  const project = { uid: HUB.uid, archived: false };
  return [crashed({ ...both, here: { ...both.here, project, binding: BINDING } })];
}

const crashed = (both: Both): Both => ({
  ...both,
  answers: {},
  ended: undefined,
  here: { ...both.here, wasHeld: false },
});

/** A person prepares a leave: the mark in the database, and that of the token. */
function prepared(both: Both): Both {
  const credentials = both.here.credentials.map((one) => ({ ...one, managed: LEAVING }));
  return { ...both, here: { ...both.here, leaves: both.here.binding !== undefined, credentials } };
}

/** The person ends it, once no attempt asks the hub any more and its enrollments were revoked there. */
function left(both: Both): Both {
  const enrollments = both.hub.enrollments.map((one) => ({ ...one, active: false }));
  return {
    ...both,
    here: { ...both.here, binding: undefined, leaves: false, credentials: [] },
    hub: { ...both.hub, enrollments },
    hasLeft: true,
    // One that was reconciled is not looked at again before a restart.
    ended: both.ended === undefined ? undefined : "left",
  };
}

const isLeaving = ({ here }: Both): boolean =>
  here.leaves || here.credentials.some(({ managed }) => managed?.leave !== undefined);
const active = ({ hub }: Both): number => hub.enrollments.filter((one) => one.active).length;

function step(both: Both): { readonly by: MappingStep; readonly after: Both } {
  const seen = {
    ...both,
    here: { ...both.here, wasHeld: both.here.wasHeld || isHeld(MAPPING, both.here) },
  };
  const by = nextMappingStep(MAPPING, both.here, both.answers);
  return { by, after: carryOut(seen, by) };
}

/** What can happen next: a step, a crash before and after its effect, a leave. */
function outcomes(both: Both): readonly Both[] {
  if (both.ended !== undefined)
    return [crashed(both), ...(isLeaving(both) ? [left(both)] : [prepared(both)])];
  const { by, after } = step(both);
  const mayLeave = isLeaving(both) || both.hasLeft ? [] : [prepared(both)];
  // A leave waits for the attempt that is running.
  const mayEnd = isLeaving(both) && Object.keys(both.answers).length === 0 ? [left(both)] : [];
  return [after, crashed(both), crashed(after), ...halfJoined(both, by), ...mayLeave, ...mayEnd];
}

test("in any order of steps, crashes and leaves, a mapping ends reconciled with one enrollment, or left with none", () => {
  const seen = new Map<string, Both>();
  const open = [BEGIN];
  for (let both = open.pop(); both !== undefined; both = open.pop()) {
    const key = JSON.stringify(both);
    if (seen.has(key)) continue;
    seen.set(key, both);
    expect(active(both)).toBeLessThanOrEqual(1);
    // The third token is that of a mapping that was left and begun again, so nothing new happens.
    if (both.token < 3) open.push(...outcomes(both));
  }
  expect(seen.size).toBeGreaterThan(150);
  for (const both of seen.values()) {
    let now = both;
    for (let steps = 0; now.ended === undefined; steps += 1) {
      expect(steps).toBeLessThan(20);
      now = step(now).after;
    }
    if (now.ended === "reconciled") {
      expect(active(now)).toBe(1);
      expect(now.hub.enrollments.at(-1)).toEqual({ token: now.token, active: true });
    } else if (isLeaving(both)) expect(active(now)).toBe(0);
  }
});

test("a mapping waits 1 s after its first failure, twice as long after each further one, and at most 5 minutes", () => {
  const waits = [1, 2, 3, 8, 9, 10, 1000].map(mappingBackoffMs);
  expect(waits).toEqual([1000, 2000, 4000, 128_000, 256_000, 300_000, 300_000]);
});
