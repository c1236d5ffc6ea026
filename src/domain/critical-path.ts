import { componentsOf, type Successors } from "./components.ts";
import { type Edge, numbered } from "./graph.ts";

export interface Step {
  readonly uid: string;
  /** Number of issues that wait for this one, directly or through others. */
  readonly waiting: number;
  /**
   * True if the issue waits for itself through other issues. Such a circle cannot be finished until a link is removed.
   */
  readonly circle: boolean;
}

export interface CriticalPath {
  /** The chain; each issue waits for the one before it, and issues of a circle are adjacent. */
  readonly path: readonly Step[];
  /** All issues that a goal waits for; the one that most issues wait for comes first. */
  readonly waited_for: readonly Step[];
}

/**
 * Finds the longest chain of blockers that ends in a goal. Each edge leads from a blocker to the issue that it blocks,
 * and both are open. A circle counts as a whole: all of its issues are on the chain.
 */
export function findCriticalPath(
  edges: readonly Edge[],
  isGoal: (uid: string) => boolean,
): CriticalPath {
  const { names, successors } = numbered(edges);
  const component = componentsOf(successors);
  const members = membersOf(component);
  const waiting = countWaiting(successors, component, members);
  const stepOf = (node: number): Step => {
    const own = component[node] ?? 0;
    const circle = (members[own]?.length ?? 0) > 1;
    return { uid: names[node] ?? "", waiting: waiting[own] ?? 0, circle };
  };
  const { chain, upstream } = longestChain({ names, successors, component, members }, isGoal);
  const path = chain.flatMap((at) => members[at] ?? []).map(stepOf);
  const waited_for = upstream
    .flatMap((at) => members[at] ?? [])
    .map(stepOf)
    .filter((each) => each.waiting > 0)
    .sort((a, b) => b.waiting - a.waiting || (a.uid < b.uid ? -1 : 1));
  return { path, waited_for };
}

interface CondensedGraph {
  readonly names: readonly string[];
  readonly successors: Successors;
  readonly component: Int32Array;
  readonly members: readonly (readonly number[])[];
}

/**
 * Finds the longest chain of components that ends in a goal. Also returns as `upstream` the goals and all components
 * from which edges lead to a goal. Edges between components lead to smaller numbers, so the loop from the highest number
 * visits all blockers before the issues that they block.
 */
function longestChain(
  { names, successors, component, members }: CondensedGraph,
  isGoal: (uid: string) => boolean,
): { readonly chain: readonly number[]; readonly upstream: readonly number[] } {
  /** Of two chains of equal length, choose the one with older issues, whose uids are smaller. */
  const isOlder = (one: number, other: number): boolean =>
    (members[one]?.[0] ?? 0) < (members[other]?.[0] ?? 0);
  const length = members.map((list) => list.length);
  const before = new Int32Array(members.length).fill(-1);
  const leads = new Uint8Array(members.length);
  for (let at = members.length - 1; at >= 0; at--) {
    for (const node of members[at] ?? []) {
      for (const next of successors[node] ?? []) {
        const to = component[next] ?? at;
        if (to === at) continue;
        const through = (length[at] ?? 0) + (members[to]?.length ?? 0);
        const longer = through - (length[to] ?? 0);
        if (longer < 0 || (longer === 0 && !isOlder(at, before[to] ?? at))) continue;
        length[to] = through;
        before[to] = at;
      }
    }
  }
  for (const [at, list] of members.entries()) {
    const reachesGoal = (node: number): boolean =>
      (successors[node] ?? []).some((next) => leads[component[next] ?? at] === 1);
    if (list.some((node) => isGoal(names[node] ?? "") || reachesGoal(node))) leads[at] = 1;
  }
  let end = -1;
  for (const [at, list] of members.entries()) {
    if (!list.some((node) => isGoal(names[node] ?? ""))) continue;
    const longer = (length[at] ?? 0) - (length[end] ?? 0);
    if (longer > 0 || (longer === 0 && isOlder(at, end))) end = at;
  }
  const chain: number[] = [];
  for (let at = end; at !== -1; at = before[at] ?? -1) chain.unshift(at);
  return { chain, upstream: [...members.keys()].filter((at) => leads[at] === 1) };
}

function membersOf(component: Int32Array): readonly (readonly number[])[] {
  const members: number[][] = [];
  for (const [node, at] of component.entries()) {
    members[at] ??= [];
    members[at].push(node);
  }
  return members;
}

const WORDS = 32;

/**
 * Counts how many issues wait for each component. One set of waiting issues for each component would need memory
 * quadratic in the number of issues. So the issues are counted in portions of 1024, and each component has a set of
 * 1024 bits that is used again for each portion.
 */
function countWaiting(
  successors: Successors,
  component: Int32Array,
  members: readonly (readonly number[])[],
): Int32Array {
  const total = new Int32Array(members.length);
  const portion = WORDS * 32;
  const sets = new Int32Array(members.length * WORDS);
  for (let first = 0; first < successors.length; first += portion) {
    sets.fill(0);
    for (const [at, list] of members.entries()) {
      const own = at * WORDS;
      for (const node of list) {
        const bit = node - first;
        if (bit >= 0 && bit < portion) {
          const word = own + (bit >> 5);
          sets[word] = (sets[word] ?? 0) | (1 << (bit & 31));
        }
        for (const next of successors[node] ?? []) {
          const other = (component[next] ?? at) * WORDS;
          if (other === own) continue;
          for (let word = 0; word < WORDS; word++) {
            sets[own + word] = (sets[own + word] ?? 0) | (sets[other + word] ?? 0);
          }
        }
      }
      for (let word = own; word < own + WORDS; word++) {
        total[at] = (total[at] ?? 0) + bitsOf(sets[word] ?? 0);
      }
    }
  }
  // Each count includes the issue itself.
  return total.map((count) => count - 1);
}

function bitsOf(word: number): number {
  const pairs = word - ((word >>> 1) & 0x55555555);
  const fours = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333);
  return (((fours + (fours >>> 4)) & 0x0f0f0f0f) * 0x01010101) >>> 24;
}
