import type { Clock } from "../../base/clock.ts";
import { EXACT_BELOW } from "../../domain/meaning/nearest.ts";
import type { Connection } from "../connection.ts";
import { type IssueChunks, ProjectVectors } from "./project-vectors.ts";
import type { ScoringAsk } from "./scoring-messages.ts";
import * as statements from "./scoring-statements.ts";

/** A project without asks for this long is dropped from memory. */
const UNUSED_MS = 600_000;
/** How many bytes the vectors of all projects in memory may take. Sign bits are not counted. */
const MOST_VECTOR_BYTES = 64 * 1024 * 1024;
/** How many issues one statement reads. */
const READ_AT_ONCE = 2000;
/** Higher than each local id of an issue. */
const END = Number.MAX_SAFE_INTEGER;

/** The projects that are kept in memory, those that were used last at the end. */
export class ScoredProjects {
  readonly #clock: Pick<Clock, "nowMs">;
  readonly #projects = new Map<string, ProjectVectors>();

  constructor(clock: Pick<Clock, "nowMs">) {
    this.#clock = clock;
  }

  /** Returns the project of the ask as the index has it now. */
  async upToDate(
    connection: Connection,
    { generation, dims, project_uid }: Omit<ScoringAsk, "vector" | "limit">,
  ): Promise<ProjectVectors> {
    const nowMs = this.#clock.nowMs();
    for (const [key, { usedAtMs }] of this.#projects)
      if (nowMs - usedAtMs >= UNUSED_MS) this.#drop(key);
    const key = `${project_uid} ${generation}`;
    let project = this.#projects.get(key);
    if (project === undefined) {
      this.forgetProject(project_uid);
      project = new ProjectVectors(dims);
      await readAll(connection, project, { generation, project_uid });
    } else await readChanged(connection, project, { generation, project_uid });
    project.usedAtMs = nowMs;
    this.#projects.delete(key);
    this.#projects.set(key, project);
    return project;
  }

  /**
   * Whether all vectors of the project fit in memory. If so, those of other projects are dropped until they do, and are
   * kept as they are read.
   */
  mayKeepVectors(project: ProjectVectors): boolean {
    if (project.count >= EXACT_BELOW || project.wholeBytes > MOST_VECTOR_BYTES) {
      project.dropVectors();
      return false;
    }
    let others = 0;
    for (const other of this.#projects.values()) if (other !== project) others += other.keptBytes;
    for (const other of this.#projects.values()) {
      if (others + project.wholeBytes <= MOST_VECTOR_BYTES) break;
      if (other === project) continue;
      others -= other.keptBytes;
      other.dropVectors();
    }
    project.keepVectors();
    return true;
  }

  forget(uids: readonly string[]): void {
    for (const project of this.#projects.values()) project.remove(uids);
  }

  forgetProject(uid: string): void {
    for (const key of this.#projects.keys()) if (key.startsWith(`${uid} `)) this.#drop(key);
  }

  forgetAll(): void {
    for (const key of this.#projects.keys()) this.#drop(key);
  }

  #drop(key: string): void {
    this.#projects.get(key)?.clear();
    this.#projects.delete(key);
  }
}

interface Of {
  readonly generation: number;
  readonly project_uid: string;
}

/** A change that comes while the rows are read has a later version, so it is read again at the next ask. */
async function readAll(connection: Connection, project: ProjectVectors, of: Of): Promise<void> {
  project.version = (await statements.lastVersion.one(connection, of))?.version ?? 0;
  for (let after = 0; ; ) {
    const asked = { ...of, after, most: READ_AT_ONCE };
    const rows = await statements.chunksOfProject.all(connection, asked);
    project.remove(rows.map(({ issue_uid }) => issue_uid));
    project.add(rows);
    after = rows.at(-1)?.issue_id ?? 0;
    if (rows.length < READ_AT_ONCE) return;
  }
}

async function readChanged(connection: Connection, project: ProjectVectors, of: Of): Promise<void> {
  const last = (await statements.lastVersion.one(connection, of))?.version ?? 0;
  if (last <= project.version) return;
  let [after, issue] = [project.version, END];
  for (;;) {
    const asked = { ...of, after, issue, most: READ_AT_ONCE };
    const rows = await statements.changedChunks.all(connection, asked);
    project.remove(rows.map(({ issue_uid }) => issue_uid));
    project.add(rows.filter((row): row is typeof row & IssueChunks => row.bits !== null));
    const final = rows.at(-1);
    if (final === undefined || rows.length < READ_AT_ONCE) break;
    [after, issue] = [final.version, final.issue_id];
  }
  project.version = last;
}
