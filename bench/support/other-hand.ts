import { connect } from "./connection.ts";

export interface Target {
  readonly project_id: number;
  readonly uid: string;
}

/** A second client that renames issues with numbered titles, so that each change can be recognized on the screen. */
export interface OtherHand {
  change(target: Target): Promise<number>;
  close(): void;
}

export async function otherHand(socketPath: string): Promise<OtherHand> {
  const connection = await connect(socketPath);
  let number = 0;
  return {
    change: async ({ project_id, uid }) => {
      const mine = (number += 1);
      const target = `/api/v1/projects/${project_id}/issues/${uid}`;
      const body = JSON.stringify({ title: `change ${mine};`, actor: "other" });
      const answer = await connection.send("PATCH", target, body);
      if (answer.status !== 200) throw new Error(`a change was refused: ${answer.body}`);
      return mine;
    },
    close: () => connection.close(),
  };
}

/** The numbers of the changes that are visible on the screen. */
export function changesIn(lines: readonly string[]): readonly number[] {
  return lines.flatMap((line) => [...line.matchAll(/change (\d+);/g)].map(([, at]) => Number(at)));
}

/**
 * Makes `perSecond` changes a second, to one target after the other. Returns a function that stops the changes and
 * returns how many were made.
 */
export async function everySecond(
  socketPath: string,
  perSecond: number,
  targets: readonly Target[],
): Promise<() => Promise<number>> {
  const hand = await otherHand(socketPath);
  const start = performance.now();
  let isOver = false;
  const work = (async () => {
    let count = 0;
    while (!isOver) {
      const target = targets[count % targets.length];
      if (target === undefined) break;
      await hand.change(target);
      count += 1;
      const wait = start + (count * 1000) / perSecond - performance.now();
      if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait));
    }
    return count;
  })();
  return async () => {
    isOver = true;
    const count = await work;
    hand.close();
    return count;
  };
}
