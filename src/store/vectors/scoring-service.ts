import type { Clock } from "../../base/clock.ts";
import { invariant } from "../../base/invariant.ts";
import { yieldToLoop } from "../../base/yield-to-loop.ts";
import { bestIssues, candidatesFor, isExhausted } from "../../domain/meaning/nearest.ts";
import { cosine, readVector } from "../../domain/meaning/vectors.ts";
import type { Connection } from "../connection.ts";
import { isDamaged } from "../errors.ts";
import { DamagedVector, type ProjectVectors } from "./project-vectors.ts";
import { ScoredProjects } from "./scored-projects.ts";
import type {
  NearestIssues,
  ScoringAsk,
  ScoringFault,
  ScoringOutcome,
  ScoringRequest,
} from "./scoring-messages.ts";
import * as statements from "./scoring-statements.ts";

/** How many vectors one statement reads. */
const READ_AT_ONCE = 500;

interface Needs {
  readonly clock: Pick<Clock, "nowMs">;
  /** Opens a connection that only reads. */
  open(): Promise<Connection>;
}

/** Finds the issues whose vectors are nearest to that of a query. Asks are answered one after another. */
export class ScoringService {
  readonly #deps: Needs;
  readonly #post: (outcome: ScoringOutcome) => void;
  readonly #projects: ScoredProjects;
  #connection: Connection | undefined;
  /** The asks that somebody still waits for. */
  readonly #waiting = new Set<number>();
  /** Ends when all earlier requests have been handled. */
  #last: Promise<void> = Promise.resolve();

  constructor(deps: Needs, post: (outcome: ScoringOutcome) => void) {
    this.#deps = deps;
    this.#post = post;
    this.#projects = new ScoredProjects(deps.clock);
  }

  take(request: ScoringRequest): void {
    if ("left" in request) {
      this.#waiting.delete(request.left);
      return;
    }
    if ("ask" in request) this.#waiting.add(request.id);
    this.#last = this.#last.then(async () => await this.#handle(request));
  }

  async #handle(request: Exclude<ScoringRequest, { readonly left: number }>): Promise<void> {
    if ("forget" in request) return this.#projects.forget(request.forget);
    if ("forgetProject" in request) return this.#projects.forgetProject(request.forgetProject);
    if ("reopen" in request) return await this.#reopen();
    const { id, ask } = request;
    if (!this.#waiting.delete(id)) return;
    this.#post({ id, ...(await this.#answer(ask)) });
    // Without this, messages that came meanwhile, such as `left`, would wait until all asks are answered.
    await yieldToLoop();
  }

  async #answer(
    ask: ScoringAsk,
  ): Promise<NearestIssues | { readonly fault: ScoringFault; readonly detail: string }> {
    try {
      this.#connection ??= await this.#deps.open();
      return await this.#nearest(this.#connection, ask);
    } catch (error) {
      const fault = error instanceof DamagedVector || isDamaged(error) ? "damaged" : "unreadable";
      await this.#reopen();
      return { fault, detail: error instanceof Error ? error.message : String(error) };
    }
  }

  async #nearest(connection: Connection, ask: ScoringAsk): Promise<NearestIssues> {
    const { vector, limit, among } = ask;
    const project = await this.#projects.upToDate(connection, ask);
    const keeps = this.#projects.mayKeepVectors(project);
    const marked = among && project.marked(among);
    const all = marked?.count ?? project.count;
    const most = keeps ? project.count : candidatesFor(limit, Number.POSITIVE_INFINITY);
    const places = project.candidates(vector, most, marked?.marks);
    const cosines = await cosinesAt(connection, project, { vector, places });
    const best = bestIssues({ issues: project.issuesAt(places), cosines }, limit + 1);
    const hits = best.slice(0, limit).flatMap((hit) => {
      const issue_uid = project.uidOf(hit.issue);
      return issue_uid === undefined ? [] : [{ issue_uid, cosine: hit.cosine }];
    });
    return { hits, exhausted: best.length <= limit && isExhausted(all, cosines) };
  }

  /** Forgets all that was read. The next ask opens another connection. */
  async #reopen(): Promise<void> {
    this.#projects.forgetAll();
    const connection = this.#connection;
    this.#connection = undefined;
    await connection?.close().catch(() => undefined);
  }

  async close(): Promise<void> {
    await this.#last;
    await this.#connection?.close();
  }
}

interface Compared {
  readonly vector: Float32Array;
  readonly places: Uint32Array;
}

/**
 * Returns the cosines of the vectors at the places, NaN for one that was removed a moment ago. Those that are not in
 * memory are read, and stay there if there is room for all of the project. Otherwise only one portion is there at once.
 */
async function cosinesAt(
  connection: Connection,
  project: ProjectVectors,
  { vector, places }: Compared,
): Promise<Float64Array> {
  const cosines = project.cosinesAt(places, vector);
  const missing = new Map<number, number>();
  for (let at = 0; at < places.length; at++)
    if (Number.isNaN(cosines[at])) missing.set(project.idAt(places[at] ?? 0), at);
  // Without it, each of the vectors would be an array of its own, and to free them takes as long as to compare them.
  const stored = new Float32Array(project.dims);
  const ids = [...missing.keys()].sort((a, b) => a - b);
  for (let from = 0; from < ids.length; from += READ_AT_ONCE) {
    const part = ids.slice(from, from + READ_AT_ONCE);
    for (const row of await statements.vectorsByChunk.all(connection, { ids: part })) {
      if (!readVector(row.vector, stored)) throw new DamagedVector("a stored vector is damaged");
      const at = missing.get(row.id);
      invariant(at !== undefined, "only the asked vectors are read");
      cosines[at] = cosine(vector, stored);
      project.keepVector(places[at] ?? 0, stored);
    }
  }
  return cosines;
}
