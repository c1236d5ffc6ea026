import type { Clock } from "../../src/base/clock.ts";
import type { GraphPicture } from "../../src/screen/graph/picture.ts";
import { type Limited, LimitedWorker, type WorkerLike } from "../limited-worker.ts";
import type { Places, Shape } from "./layout.ts";

/** The most issues of a graph that is drawn. The picture of a larger one is too crowded to read and takes seconds. */
export const MAX_BOXES = 1000;
/** How long the worker may take to lay out a graph. */
export const LIMIT_MS = 5000;
const MAX_KEPT = 8;

/** Lays out graphs in a worker, and keeps the last layouts. */
export class Layouts {
  readonly #worker: LimitedWorker<Shape, Places>;
  readonly #known = new Map<string, Limited<Places>>();

  constructor(start: () => WorkerLike<Shape, Places>, clock: Pick<Clock, "sleep">) {
    this.#worker = new LimitedWorker(start, clock);
  }

  /** The layout if it was made before, or took too long before. */
  known(shape: string): Limited<Places> | undefined {
    return this.#known.get(shape);
  }

  /** `isWanted` says when its turn comes whether the picture is still shown. */
  async layOut(shape: string, isWanted: () => boolean): Promise<Limited<Places>> {
    const known = this.#known.get(shape);
    if (known !== undefined) return known;
    const made = await this.#worker.ask(JSON.parse(shape) as Shape, LIMIT_MS, isWanted);
    if (made !== "failed" && isWanted()) this.#keep(shape, made);
    return made;
  }

  #keep(shape: string, made: Limited<Places>): void {
    this.#known.set(shape, made);
    for (const oldest of this.#known.keys()) {
      if (this.#known.size <= MAX_KEPT) break;
      this.#known.delete(oldest);
    }
  }
}

/** What of a picture decides where its parts stand, as a text: two pictures of the same shape have the same layout. */
export function shapeOf({ uids, links }: GraphPicture): string {
  const numbers = new Map(uids.map((uid, at) => [uid, at]));
  const shape: Shape = {
    boxes: uids.length,
    links: links.map(({ from, to }) => [numbers.get(from) ?? 0, numbers.get(to) ?? 0] as const),
  };
  return JSON.stringify(shape);
}
