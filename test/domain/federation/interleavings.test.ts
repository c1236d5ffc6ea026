import { expect, test } from "vitest";
import {
  adopt,
  again,
  isOver,
  join,
  leave,
  NEW,
  OLD,
  OTHER,
  type Program,
  rebind,
  reconcile,
  rotate,
  stepsOf,
  type World,
} from "./binding-world.ts";

const ALONE: World = {
  ...{ binding: null, isMarked: false, isArchived: false, credential: null },
  ...{ active: [], revoked: [], turn: null, drained: null, isAttempted: false },
};

/** A copy at the old address. */
const COPY: World = {
  ...ALONE,
  binding: { url: OLD, cursor: 40 },
  credential: { url: OLD, token: "t1", isManaged: false, isLeaving: false },
  active: ["t1"],
};

const MANAGED: World = {
  ...COPY,
  credential: { url: OLD, token: "t1", isManaged: true, isLeaving: false },
};

interface Node {
  readonly world: World;
  readonly programs: readonly Program[];
  readonly crashes: number;
}

/** Where the token is sent in this world, if a pass begins now. */
function sentTo({ binding, credential, isMarked, drained }: World) {
  if (binding === null || credential === null || isMarked || drained !== null) return undefined;
  return binding.url === credential.url ? binding.url : undefined;
}

/** Tells every world that these programs can reach, with at most so many deaths of the daemon, each after any step. */
function reached(world: World, programs: readonly Program[], deaths: number): readonly Node[] {
  const seen = new Map<string, Node>();
  const open: Node[] = [{ world, programs, crashes: 0 }];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    const key = JSON.stringify(node);
    if (seen.has(key)) continue;
    seen.set(key, node);
    for (const [at, program] of node.programs.entries()) {
      if (isOver(program)) continue;
      for (const step of stepsOf(node.world, program, at)) {
        const next = node.programs.with(at, step.program);
        open.push({ ...node, world: step.world, programs: next });
      }
    }
    if (node.crashes < deaths) {
      const restarted = node.programs.map((one) => (isOver(one) ? one : again(one)));
      const after = { ...node.world, turn: null, drained: null, isAttempted: false };
      open.push({ world: after, programs: restarted, crashes: node.crashes + 1 });
    }
  }
  return [...seen.values()];
}

/** Fails with the first node of which this is so. One expectation for each of 50,000 nodes would take a minute. */
function expectNone(nodes: readonly Node[], isSo: (node: Node) => boolean): void {
  expect(nodes.find(isSo)).toBeUndefined();
}

function waitsForEver({ world, programs }: Node): boolean {
  const waits = programs.map(
    (program, at) => !isOver(program) && stepsOf(world, program, at).length === 0,
  );
  return waits.includes(true) && programs.every((one, at) => isOver(one) || waits[at] === true);
}

/** The worlds of the nodes, each once. */
function worldsOf(nodes: readonly Node[]): readonly World[] {
  return [...new Map(nodes.map(({ world }) => [JSON.stringify(world), world])).values()];
}

/** Carries out the program alone, without faults. */
function carriedOut(world: World, program: Program): { world: World; program: Program } {
  let [at, next] = [world, program];
  while (!isOver(next)) {
    const [step] = stepsOf(at, next, 0);
    if (step === undefined) throw new Error(`${next.name} waits for ever`);
    ({ world: at, program: next } = step);
  }
  return { world: at, program: next };
}

const CASES: readonly (readonly [string, World, readonly Program[]])[] = [
  ["leave", COPY, [leave()]],
  ["leave of a project of config.toml", MANAGED, [leave()]],
  ["rebind", COPY, [rebind()]],
  ["adopt", ALONE, [adopt("t1")]],
  ["leave and leave", COPY, [leave(), leave()]],
  ["leave and rebind", COPY, [leave(), rebind()]],
  ["leave and rebind of a project of config.toml", MANAGED, [leave(), rebind()]],
  ["leave and join", COPY, [leave(), join("t1")]],
  ["leave and rotate and join", COPY, [leave(), rotate("t2"), join("t2")]],
  ["rebind and rebind", COPY, [rebind(), rebind()]],
  ["rebind and rotate and join", COPY, [rebind(), rotate("t2"), join("t2")]],
  ["rebind to another daemon and leave", COPY, [rebind(OTHER), leave()]],
  ["adopt and leave", ALONE, [adopt("t1"), leave()]],
  ["adopt and rebind", ALONE, [adopt("t1"), rebind()]],
  ["adopt and rotate and leave", ALONE, [adopt("t1"), rotate("t2"), leave()]],
  ["leave, rebind and join", MANAGED, [leave(), rebind(), join("t1")]],
  ["reconcile", ALONE, [reconcile()]],
  ["reconcile and leave", ALONE, [reconcile(), leave()]],
  ["reconcile and leave of a project that it has joined", MANAGED, [reconcile(), leave()]],
  ["reconcile and rebind", ALONE, [reconcile(), rebind()]],
  ["reconcile and rebind of a project that it has joined", MANAGED, [reconcile(), rebind()]],
  ["reconcile at the new address and rebind", MANAGED, [reconcile(NEW), rebind()]],
  ["reconcile and rotate and join", MANAGED, [reconcile(), rotate("t2"), join("t2")]],
  ["reconcile and adopt by hand", ALONE, [reconcile(), adopt("t1")]],
];

/** The longest ones, with one death of the daemon. */
const LONG_CASES: typeof CASES = [
  ["reconcile, rotate and leave", ALONE, [reconcile(), rotate("t2"), leave()]],
  ["reconcile, leave and rebind", MANAGED, [reconcile(), leave(), rebind()]],
];

test.each([
  ...CASES.map((one) => [...one, 2] as const),
  ...LONG_CASES.map((one) => [...one, 1] as const),
])(
  "operations at once (%s) never get stuck, in any order of steps and with the daemon killed after any step",
  (_, first, of, deaths) => {
    const nodes = reached(first, of, deaths);
    // No token is ever sent to another daemon than the hub, or while an address is moved.
    expectNone(nodes, ({ world }) => sentTo(world) === OTHER);
    expectNone(nodes, ({ world }) => world.drained !== null && sentTo(world) !== undefined);
    // A cursor never changes.
    expectNone(nodes, ({ world }) => (world.binding?.cursor ?? 40) !== 40);
    expectNone(nodes, waitsForEver);
    // What is left can always be finished: by a leave, and by a rebind if the copy is one still.
    const ended = nodes.filter(({ programs }) => programs.every(isOver));
    expect(ended.length).toBeGreaterThan(0);
    for (const world of worldsOf(ended)) {
      const { world: left } = carriedOut(world, leave());
      expect(left).toMatchObject({ binding: null, credential: null, active: [], isArchived: true });
      const { binding, credential, isMarked, active } = world;
      const isCopy = binding !== null && credential !== null && !isMarked && !credential.isLeaving;
      if (!isCopy || !active.includes(credential.token)) continue;
      const { world: moved, program } = carriedOut(world, rebind());
      expect(program).toMatchObject({ state: { at: "done" } });
      expect(sentTo(moved)).toBe(NEW);
      expect(moved.credential?.token).toBe(credential.token);
    }
  },
);

test("a finished leave leaves no binding, no token and no active enrollment, even beside a rebind", () => {
  for (const first of [COPY, MANAGED])
    for (const { world, programs } of reached(first, [leave(), rebind()], 2)) {
      const [leaving] = programs;
      if (leaving?.name !== "leave" || leaving.stage !== "end") continue;
      expect(world).toMatchObject({ binding: null, credential: null, active: [] });
      expect(leaving.state).toMatchObject({ at: "done" });
    }
});

test("a finished reconcile has joined with an active enrollment, or a leave has left no enrollment active", () => {
  for (const first of [ALONE, MANAGED])
    for (const { world, programs } of reached(first, [reconcile(), leave()], 2)) {
      if (!programs.every(isOver)) continue;
      const { binding, credential, active } = world;
      const [attempt, leaving] = programs;
      const hasLeft = leaving?.name === "leave" && leaving.state.at === "done";
      // If the answer to an enrollment was lost, it may be active still, with a token that nobody has any more.
      const isLost = attempt?.name === "reconcile" && attempt.outcome === "failed";
      if (hasLeft && !isLost && binding === null && credential === null) expect(active).toEqual([]);
      // A leave that was refused may have revoked the token of a join that came between; it is repeated.
      const isRefused = leaving?.name === "leave" && leaving.state.at === "refused";
      const isJoined = binding !== null && credential !== null && !credential.isLeaving;
      if (attempt?.name === "reconcile" && attempt.outcome === "reconciled" && isJoined)
        if (!isRefused) expect(active).toContain(credential.token);
      // The next attempt finishes what this one has left, once nobody leaves any more. A token that was revoked stays.
      if (world.isMarked || world.isArchived || credential?.isLeaving === true) continue;
      if (world.revoked.includes(credential?.token ?? "")) continue;
      const { world: after, program } = carriedOut(world, reconcile());
      expect(program).toMatchObject({ outcome: "reconciled" });
      expect(sentTo(after)).toBe(OLD);
    }
});

test("a finished rebind has moved binding and token to the new address, and a rebind to another daemon moves neither", () => {
  for (const { world, programs } of reached(COPY, [rebind(), rotate("t2"), join("t2")], 2)) {
    const [moving] = programs;
    if (moving?.name !== "rebind" || moving.state.at !== "done") continue;
    expect([world.binding?.url, world.credential?.url]).toEqual([NEW, NEW]);
  }
  for (const { world } of reached(COPY, [rebind(OTHER)], 2))
    expect([world.binding?.url, world.credential?.url]).toEqual([OLD, OLD]);
});

test("after a rotation only the new enrollment is active, and a copy that joined with the new token reads from the hub", () => {
  for (const { world, programs } of reached(COPY, [rotate("t2"), join("t2")], 2)) {
    if (programs[0]?.name === "rotate" && programs[0].isDone) expect(world.active).toEqual(["t2"]);
    const [, joining] = programs;
    if (joining?.name !== "join" || joining.stage !== "end" || joining.refused) continue;
    expect(world.credential?.token).toBe("t2");
    expect(sentTo(world)).toBe(OLD);
  }
});

test("a mapping never ends the enrollment of a token with which the project was joined by hand", () => {
  let byHand = 0;
  for (const { world, programs } of reached(ALONE, [reconcile(), adopt("t1")], 2)) {
    if (!programs.every(isOver) || world.credential?.token !== "t1") continue;
    byHand += 1;
    expect(world.active).toContain("t1");
  }
  expect(byHand).toBeGreaterThan(0);
});
