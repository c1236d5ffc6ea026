import { type Grant, nextGrants } from "../../../src/domain/federation/grants.ts";
import { beginJoin, type JoinState, nextJoin } from "../../../src/domain/federation/joining.ts";
import {
  beginLeave,
  type LeaveRequest,
  type LeaveState,
  type LeaveView,
  nextLeave,
} from "../../../src/domain/federation/leaving.ts";
import {
  type HubAnswers,
  isHeld,
  type Mapping,
  type MappingStep,
  nextMappingStep,
  type Standing,
} from "../../../src/domain/federation/mapping.ts";
import {
  nextRebind,
  type RebindState,
  type RebindView,
} from "../../../src/domain/federation/rebinding.ts";

/** The addresses: two of the hub, and one of another daemon. */
export const [OLD, NEW, OTHER] = ["https://old", "https://new", "https://other"] as const;

type Url = typeof OLD | typeof NEW | typeof OTHER;

/** What a spoke has stored about one copy, and what its hub has. */
export interface World {
  readonly binding: { readonly url: Url; readonly cursor: number } | null;
  readonly isMarked: boolean;
  readonly isArchived: boolean;
  readonly credential: {
    readonly url: Url;
    readonly token: string;
    readonly isManaged: boolean;
    readonly isLeaving: boolean;
    /** Made for a mapping, and no project was joined with it yet. */
    readonly isReserved?: boolean;
    /** The enrollment that the leave is to revoke, once it is known. */
    readonly pending?: number;
  } | null;
  /** The tokens of the active enrollments, and of the revoked ones. */
  readonly active: readonly string[];
  readonly revoked: readonly string[];
  /** The turn of the daemon that one program has. */
  readonly turn: number | null;
  /** Which program has stopped all that is sent to the hub. */
  readonly drained: number | null;
  /** Whether an attempt of a mapping is under way, for which a leave waits. */
  readonly isAttempted: boolean;
}

/**
 * One request, with how far it has come. `view` is what it saw last. A program that the daemon carried out ends with the
 * daemon; one of the hub goes on.
 */
export type Program =
  | {
      readonly name: "leave";
      readonly stage: "prepare" | "revoke" | "commit" | "end";
      readonly state: LeaveState;
      readonly view: World | null;
    }
  | {
      readonly name: "rebind";
      readonly target: Url;
      readonly state: RebindState;
      readonly view: World | null;
    }
  | {
      readonly name: "join" | "adopt";
      readonly token: string;
      readonly stage: "enroll" | "join" | "end";
      readonly state: JoinState;
      readonly view: World | null;
      readonly refused: boolean;
    }
  | { readonly name: "rotate"; readonly token: string; readonly isDone: boolean }
  | {
      readonly name: "reconcile";
      readonly url: Url;
      /** `ask` and `store`: what the step that was decided still has to do. */
      readonly stage: "begin" | "look" | "ask" | "store" | "end";
      readonly step: MappingStep | null;
      readonly answers: HubAnswers;
      readonly wasHeld: boolean;
      readonly outcome: "reconciled" | "left" | "conflict" | "failed" | null;
    };

export const leave = (): Program => ({
  name: "leave",
  stage: "prepare",
  state: beginLeave(leaving("prepare")),
  view: null,
});
export const rebind = (target: Url = NEW): Program => ({
  name: "rebind",
  target,
  state: beginRebind(target),
  view: null,
});
export const join = (token: string): Program => joining("join", token);
export const adopt = (token: string): Program => joining("adopt", token);
/** An attempt of a `[[federation.project]]` whose hub has the address. Hub and baseline are always there. */
export const reconcile = (url: Url = OLD): Program => ({
  ...{ name: "reconcile", url, stage: "begin", step: null, wasHeld: false, outcome: null },
  answers: { project: HUB, baseline: { from: 40, through: 44 } },
});
export const rotate = (token: string): Program => ({ name: "rotate", token, isDone: false });

const HUB = { id: 7, uid: "P" };

function joining(name: "join" | "adopt", token: string): Program {
  const stage = name === "adopt" ? "enroll" : "join";
  return { name, token, stage, state: beginJoin(name === "adopt"), view: null, refused: false };
}

function beginRebind(hub_url: Url): RebindState {
  return { at: "begin", target: { hub_url, allow_insecure: false, hub_catalog: "team" } };
}

function leaving(phase: LeaveRequest["phase"]): LeaveRequest {
  return { phase, archives: true, force: true };
}

export function isOver(program: Program): boolean {
  switch (program.name) {
    case "leave":
      return program.stage === "end" || program.state.at === "refused";
    case "rebind":
      return program.state.at === "done" || program.state.at === "refused";
    case "rotate":
      return program.isDone;
    default:
      return program.stage === "end";
  }
}

/** The same request, sent again after the daemon was killed. */
export function again(program: Program): Program {
  switch (program.name) {
    case "leave":
      return leave();
    case "rebind":
      return rebind(program.target);
    case "rotate":
      return program;
    case "reconcile":
      return reconcile(program.url);
    default:
      return joining(program.name, program.token);
  }
}

export type Fate = "made" | "unknown, made" | "unknown, not made";

export interface Step {
  readonly world: World;
  readonly program: Program;
}

/** What the program may do next: one thing, whose outcome may be unknown. Empty if it has to wait for others. */
export function stepsOf(world: World, program: Program, at: number): readonly Step[] {
  switch (program.name) {
    case "leave":
      return leaveSteps(world, program, at);
    case "rebind":
      return rebindSteps(world, program, at);
    case "rotate":
      return [{ world: rotated(world, program.token), program: { ...program, isDone: true } }];
    case "reconcile":
      return reconcileSteps(world, program, at);
    default:
      return joinSteps(world, program, at);
  }
}

const FATES: readonly Fate[] = ["made", "unknown, made", "unknown, not made"];

const isMine = ({ turn }: World, at: number): boolean => turn === null || turn === at;

function leaveSteps(
  world: World,
  program: Extract<Program, { readonly name: "leave" }>,
  at: number,
): readonly Step[] {
  const { stage, state } = program;
  if (stage === "revoke") {
    const revoked = [...world.revoked, ...world.active].toSorted();
    const next = { stage: "commit", state: beginLeave(leaving("commit")), view: null } as const;
    return [{ world: { ...world, active: [], revoked }, program: { ...program, ...next } }];
  }
  if (state.at === "wait") {
    // A rebind is a call to the hub that a leave waits for.
    if (world.drained !== null || world.isAttempted || !isMine(world, at)) return [];
    const next = nextLeave(state, { type: "did", did: true });
    return [{ world: { ...world, turn: at }, program: { ...program, state: next } }];
  }
  if (!isMine(world, at)) return [];
  if (state.at === "look") {
    const next = nextLeave(state, { type: "seen", view: leaveView(world) });
    return [ended(world, { ...program, state: next, view: world }, at)];
  }
  if (state.at === "done" || state.at === "refused") return [];
  const steps: Step[] = [];
  for (const fate of FATES) {
    const made = left(world, state.at, program.view);
    const isFile = state.at === "mark_credential" || state.at === "delete_credential";
    if (isFile && fate !== "made") continue;
    const event =
      fate === "made"
        ? ({ type: "did", did: made !== undefined } as const)
        : ({ type: "unknown" } as const);
    const after = fate === "unknown, not made" || made === undefined ? world : made;
    steps.push(ended(after, { ...program, state: nextLeave(state, event) }, at));
  }
  return steps;
}

/** Gives the turn back where the program does, and goes to its next stage. */
function ended(
  world: World,
  program: Extract<Program, { readonly name: "leave" }>,
  at: number,
): Step {
  const { state, stage } = program;
  if (state.at === "wait" || state.at === "refused")
    return { world: { ...world, turn: null }, program };
  if (state.at !== "done") return { world: { ...world, turn: at }, program };
  const next = stage === "prepare" ? "revoke" : "end";
  return { world: { ...world, turn: null }, program: { ...program, stage: next } };
}

function leaveView({ binding, isMarked, isArchived, credential }: World): LeaveView {
  const managed = credential?.isLeaving === true ? "leaving" : "managed";
  return {
    role: binding === null ? undefined : "spoke",
    isArchived,
    openIssues: 1,
    isMarked,
    credential: credential === null ? "none" : credential.isManaged ? managed : "own",
  };
}

/** Undefined if the credential is not what was seen. */
function left(world: World, at: LeaveState["at"], view: World | null): World | undefined {
  const isSame = JSON.stringify(world.credential) === JSON.stringify(view?.credential);
  switch (at) {
    case "mark_credential":
      return isSame && world.credential !== null
        ? { ...world, credential: { ...world.credential, isLeaving: true } }
        : undefined;
    case "delete_credential":
      return isSame ? { ...world, credential: null } : undefined;
    case "mark_binding":
      return { ...world, isMarked: true };
    case "archive":
      return { ...world, isArchived: true };
    default:
      return { ...world, binding: null, isMarked: false };
  }
}

function rebindSteps(
  world: World,
  program: Extract<Program, { readonly name: "rebind" }>,
  at: number,
): readonly Step[] {
  const { state, target } = program;
  const free = (after: World, next: RebindState): Step => {
    const isMoving =
      next.at === "look" || next.at === "move_credential" || next.at === "move_binding";
    const held = { turn: isMoving ? at : null, drained: isMoving ? at : null };
    const mine = after.drained === at || isMoving ? held : {};
    return { world: { ...after, ...mine }, program: { ...program, state: next, view: world } };
  };
  if (state.at === "begin")
    return isMine(world, at)
      ? [free(world, nextRebind(state, { type: "seen", view: rebindView(world) }))]
      : [];
  if (state.at === "ask")
    return [free(world, nextRebind(state, { type: "answered", answer: answerOf(world, target) }))];
  if (state.at === "drain")
    return world.drained === null && world.turn === null
      ? [free(world, nextRebind(state, { type: "drained" }))]
      : [];
  if (!isMine(world, at)) return [];
  if (state.at === "look")
    return [free(world, nextRebind(state, { type: "seen", view: rebindView(world) }))];
  if (state.at === "move_credential") {
    const { credential } = world;
    const moved = {
      ...world,
      credential: credential === null ? null : { ...credential, url: target },
    };
    return [free(moved, nextRebind(state, { type: "moved", moved: true }))];
  }
  if (state.at !== "move_binding") return [];
  const { binding } = world;
  const moved = { ...world, binding: binding === null ? null : { ...binding, url: target } };
  return [
    free(moved, nextRebind(state, { type: "moved", moved: true })),
    free(moved, nextRebind(state, { type: "unknown" })),
    free(world, nextRebind(state, { type: "unknown" })),
  ];
}

function rebindView({ binding, credential, isMarked }: World): RebindView {
  const project = { project_uid: "P", hub_project_uid: "P", hub_project_id: 7 };
  return {
    binding:
      binding === null
        ? undefined
        : { role: "spoke", hub_url: binding.url, allow_insecure: false, ...project },
    credential:
      credential === null
        ? undefined
        : {
            ...{ hub_url: credential.url, allow_insecure: false, hub_project_id: 7 },
            hub_catalog: credential.isManaged ? "team" : undefined,
          },
    leaving: isMarked || credential?.isLeaving === true,
  };
}

/** Only the hub itself knows the project, and only with an active token. */
function answerOf({ active, credential }: World, target: Url) {
  if (target === OTHER) return { hub_project_id: 7, hub_project_uid: "Q" };
  if (!active.includes(credential?.token ?? "")) return { refused: "token" } as const;
  return { hub_project_id: 7, hub_project_uid: "P" };
}

function joinSteps(
  world: World,
  program: Extract<Program, { readonly name: "join" | "adopt" }>,
  at: number,
): readonly Step[] {
  const { token, stage, state } = program;
  const refuse = { ...program, stage: "end", refused: true } as const;
  const endTurn = { ...world, turn: null };
  if (stage === "enroll") {
    const after = granted(world, token, "create");
    return [
      after === undefined
        ? { world, program: refuse }
        : { world: after, program: { ...program, stage: "join" } },
    ];
  }
  if (!isMine(world, at)) return [];
  if (state.at === "look") {
    // The caller asks the hub first, where the copy is.
    const url = world.binding?.url ?? world.credential?.url ?? OLD;
    const differs = world.credential !== null && world.credential.url !== url;
    const isReserved = world.credential?.isReserved === true && world.credential.token !== token;
    if (differs || isReserved || !world.active.includes(token) || world.isArchived)
      return [{ world: endTurn, program: refuse }];
    const next = nextJoin(state, { type: "seen", isBound: world.binding !== null });
    return [{ world: { ...world, turn: at }, program: { ...program, state: next } }];
  }
  if (state.at === "adopt" || state.at === "bind") {
    const url = world.credential?.url ?? OLD;
    const bound = { ...world, binding: world.binding ?? { url, cursor: 40 }, isMarked: false };
    return [
      { world: bound, program: { ...program, state: nextJoin(state, { type: "did" }) } },
      { world: bound, program: unknown(program) },
      { world, program: unknown(program) },
    ].map(({ world: after, program: next }) =>
      next.state.at === "outcome_unknown"
        ? {
            world: { ...after, turn: null },
            program: { ...next, stage: "end" as const, refused: true },
          }
        : { world: after, program: next },
    );
  }
  if (state.at !== "store_credential") return [];
  const { binding, credential } = world;
  const url = binding?.url ?? OLD;
  const stored = { url, token, isManaged: credential?.isManaged ?? false, isLeaving: false };
  const done = { ...program, stage: "end", state: nextJoin(state, { type: "did" }) } as const;
  return [{ world: { ...world, credential: stored, turn: null }, program: done }];
}

function unknown(program: Extract<Program, { readonly name: "join" | "adopt" }>) {
  return { ...program, state: nextJoin(program.state, { type: "unknown" }) };
}

type Reconcile = Extract<Program, { readonly name: "reconcile" }>;

function reconcileSteps(world: World, program: Reconcile, at: number): readonly Step[] {
  const { stage } = program;
  if (stage === "ask") return askedSteps(world, program);
  if (!isMine(world, at)) return [];
  if (stage === "store") {
    const { credential } = world;
    const stored = credential === null ? null : { ...credential, isReserved: false };
    const next = { ...program, stage: "look" } as const;
    return [{ world: { ...world, credential: stored, turn: null }, program: next }];
  }
  if (stage === "begin")
    return [{ world: { ...world, isAttempted: true }, program: { ...program, stage: "look" } }];
  const mapping = { ...MAPPING, hub_url: program.url };
  const standing = { ...standingOf(world), wasHeld: program.wasHeld };
  const next = nextMappingStep(mapping, standing, program.answers);
  const wasHeld = program.wasHeld || isHeld(mapping, standing);
  return decidedSteps(world, { ...program, wasHeld, step: next }, next, at);
}

/** What is to be done here is done in the turn in which it was decided. A join stores its token last. */
function decidedSteps(
  world: World,
  program: Reconcile,
  step: MappingStep,
  at: number,
): readonly Step[] {
  const look = { ...program, stage: "look", step: null } as const;
  switch (step.do) {
    case "reserve": {
      const made = { url: program.url, token: newToken(world), isManaged: true, isLeaving: false };
      return [{ world: { ...world, credential: { ...made, isReserved: true } }, program: look }];
    }
    case "note_enrollment": {
      const { credential } = world;
      const noted = credential === null ? null : { ...credential, pending: step.id };
      return [{ world: { ...world, credential: noted }, program: look }];
    }
    case "join": {
      const url = world.credential?.url ?? program.url;
      const bound = { ...world, binding: world.binding ?? { url, cursor: 40 }, turn: at };
      return [{ world: bound, program: { ...look, stage: "store" } }];
    }
    case "finish":
      return [over(world, program, step.as)];
    case "conflict":
      return [over(world, program, "conflict")];
    default:
      return [{ world, program: { ...program, stage: "ask" } }];
  }
}

function over(world: World, program: Reconcile, outcome: Reconcile["outcome"]): Step {
  const ended = { ...program, stage: "end", step: null, outcome } as const;
  return { world: { ...world, isAttempted: false }, program: ended };
}

/** The hub does what it is asked. The answer may be lost, and then the attempt is over. */
function askedSteps(world: World, program: Reconcile): readonly Step[] {
  const { step, answers } = program;
  const token = world.credential?.token ?? "";
  const known = (after: World, said: HubAnswers): readonly Step[] => [
    {
      world: after,
      program: { ...program, stage: "look", step: null, answers: { ...answers, ...said } },
    },
    over(after, program, "failed"),
    over(world, program, "failed"),
  ];
  if (step?.do === "revoke") {
    const id = (one: string): boolean => numberOf(one) === step.id;
    const revoked = [...world.revoked, ...world.active.filter(id)].toSorted();
    const active = world.active.filter((one) => !id(one));
    return known({ ...world, active, revoked }, { revoked: true });
  }
  if (step?.do === "look_up") {
    if (!world.active.includes(token)) return [over(world, program, "failed")];
    return known(world, { enrolled: { id: numberOf(token), actor: "sam" } });
  }
  if (step?.do !== "enroll") throw new Error(`nobody asks the hub to ${step?.do ?? "do nothing"}`);
  // What the hub is asked was read in the turn, before anybody could change it.
  const asked = tokenOf(step.with);
  const after = granted(world, asked, step.how);
  const enrolled = { id: numberOf(asked), actor: "sam" };
  return known(after ?? world, { enrolled: after === undefined ? "refused" : enrolled });
}

const MAPPING: Omit<Mapping, "hub_url"> = {
  ...{ hub: "team", spoke_project: "a", hub_project: "b", actor: "sam" },
};

/** Tokens and enrollments are numbered alike. */
const numberOf = (token: string): number => Number(token.slice(1));

function newToken({ active, revoked }: World): string {
  const known = new Set([...active, ...revoked]);
  let number = 10;
  while (known.has(`t${number}`)) number += 1;
  return `t${number}`;
}

type Stored = Standing["credentials"][number] & { readonly token: string };

function tokenOf(credential: Standing["credentials"][number]): string {
  return (credential as Stored).token;
}

function standingOf({ binding, credential, isMarked, isArchived }: World): Standing {
  const stored: Stored[] = [];
  if (credential !== null) {
    const { url: hub_url, token, isManaged, isLeaving, isReserved, pending = 0 } = credential;
    const leave = isLeaving ? { leave: { pending_enrollment_id: pending } } : {};
    const names = { hub_catalog: "team", hub_project_name: "b", requested_actor: "sam" };
    stored.push({
      ...{ project_uid: HUB.uid, hub_url, hub_project_id: HUB.id, token },
      ...{ capabilities: ["claim", "pull", "push"], actor: isReserved === true ? "" : "sam" },
      spoke_instance_uid: "S",
      ...(isManaged ? { managed: { ...names, spoke_project_name: "a", ...leave } } : {}),
    });
  }
  return {
    ...{ instance_uid: "S", leaves: isMarked, credentials: stored, wasHeld: false },
    project: { uid: HUB.uid, archived: isArchived },
    binding:
      binding === null
        ? undefined
        : {
            ...{ role: "spoke", enabled: true, hub_url: binding.url, hub_project_id: HUB.id },
            ...{ hub_project_uid: HUB.uid, bound_actor: "sam", sends: true },
          },
  };
}

/** Undefined if the hub refuses the token. */
function granted(world: World, token: string, action: "create" | "rotate"): World | undefined {
  const attributes = {
    ...{ spoke_instance_uid: "S", project_uid: "P", capabilities: ["pull"], bound_actor: "sam" },
    allow_adoption_snapshot_authors: 0,
  } as const;
  const grants: Grant[] = [
    ...world.active.map((hash) => ({ ...attributes, id: 1, token_hash: hash, revoked_at: null })),
    ...world.revoked.map((hash) => ({
      ...attributes,
      id: 1,
      token_hash: hash,
      revoked_at: "then",
    })),
  ].map((grant, at) => ({ ...grant, id: at }));
  const step = nextGrants(grants, { ...attributes, token_hash: token, action });
  if ("refused" in step) return undefined;
  const ended = step.revoked.map((id) => grants[id]?.token_hash ?? "");
  const active = world.active.filter((one) => !ended.includes(one) && one !== token);
  return {
    ...world,
    active: [...active, token].toSorted(),
    revoked: [...world.revoked, ...ended].toSorted(),
  };
}

function rotated(world: World, token: string): World {
  return granted(world, token, "rotate") ?? world;
}
