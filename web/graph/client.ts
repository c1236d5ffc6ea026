import type { Clock } from "../../src/base/clock.ts";
import type { GraphPicture } from "../../src/screen/graph/picture.ts";
import { type LimitedAnswer, LimitedWorker, type WorkerLike } from "../limited-worker.ts";
import type { Places, Shape } from "./layout.ts";

/** A larger graph is drawn without the issues that are farthest away, until the person asks for all. */
export const FIRST_BOXES = 300;
/**
 * The maximum number of issues in a graph that is drawn. The picture of a larger graph would be too crowded to read and
 * would take seconds.
 */
export const MAX_BOXES = 1000;
export const LIMIT_MS = 5000;
const MAX_KEPT = 8;

/**
 * Lays out graphs in a worker thread and keeps the last few layouts. The shape of a graph is the JSON text of its boxes
 * and links.
 */
export class Layouts {
  readonly #worker: LimitedWorker<Shape, Places>;
  readonly #known = new Map<string, LimitedAnswer<Places>>();

  constructor(start: () => WorkerLike<Shape, Places>, clock: Pick<Clock, "sleep">) {
    this.#worker = new LimitedWorker(start, clock);
  }

  /**
   * Returns the result of an earlier layout of the same shape, if it is kept. The result may be `late`, if that layout
   * took too long.
   */
  known(shape: string): LimitedAnswer<Places> | undefined {
    return this.#known.get(shape);
  }

  /** Lays out a shape, unless `isWanted` returns false when its turn comes. */
  async layOut(shape: string, isWanted: () => boolean): Promise<LimitedAnswer<Places>> {
    const known = this.#known.get(shape);
    if (known !== undefined) return known;
    const made = await this.#worker.ask(JSON.parse(shape) as Shape, LIMIT_MS, isWanted);
    if (made !== "failed" && isWanted()) this.#keep(shape, made);
    return made;
  }

  #keep(shape: string, made: LimitedAnswer<Places>): void {
    this.#known.set(shape, made);
    for (const oldest of this.#known.keys()) {
      if (this.#known.size <= MAX_KEPT) break;
      this.#known.delete(oldest);
    }
  }
}

/** The part of a picture that its layout depends on, as text. Two pictures with the same shape have the same layout. */
export function shapeOf({ uids, links }: GraphPicture): string {
  const numbers = new Map(uids.map((uid, at) => [uid, at]));
  const shape: Shape = {
    boxes: uids.length,
    links: links.map(({ from, to }) => [numbers.get(from) ?? 0, numbers.get(to) ?? 0] as const),
  };
  return JSON.stringify(shape);
}
