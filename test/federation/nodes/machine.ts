import { join } from "node:path";
import { exportLines } from "../../../src/archive/export.ts";
import { restoreFile } from "../../../src/archive/restore.ts";
import { writeFileWhole } from "../../../src/archive/write-file.ts";
import type { AdminStore } from "../../../src/store/admin-store.ts";
import { deps, scratch } from "../../archive/targets.ts";
import type { OpenTestStore, TestDatabase } from "../../support/store.ts";
import type { OpenStore } from "../../support/world.ts";

type Options = Parameters<OpenStore>[0];
/** Calls of a store between which its process can be killed. */
const AWAITED: ReadonlySet<string | symbol> = new Set(["read", "write"]);

const KILLED = "the process was killed";

/** A machine with a database. Its process can be killed and started again, and its database restored from a backup. */
export class Machine {
  readonly #database: TestDatabase;
  readonly #options: Options;
  /** Where the files of the machine beside its database are. */
  readonly folder: string;
  #real: AdminStore;
  #backup: string | undefined;
  #backups = 0;
  /** After how many more reads and writes the process is killed. */
  #moments = Number.POSITIVE_INFINITY;
  /** What a daemon on the machine uses. It always leads to the database as it is now. */
  readonly store: AdminStore;

  /** What the restore of another machine's database warned of. */
  warnings: readonly string[] = [];

  /** `from`: the machine gets the database of another one, with `isNew` under an identity of its own. */
  static async start(
    open: OpenTestStore,
    options: Options,
    from?: Machine,
    isNew = false,
  ): Promise<Machine> {
    const database = await open.database();
    const restored =
      from === undefined ? {} : await restoreInto(database, await from.#exported(), isNew);
    const machine = new Machine(database, options, await scratch(), await database.open(options));
    machine.warnings = restored.warnings ?? [];
    return machine;
  }

  private constructor(database: TestDatabase, options: Options, folder: string, real: AdminStore) {
    this.#database = database;
    this.#options = options;
    this.folder = folder;
    this.#real = real;
    this.store = new Proxy(real, { get: (_, name) => this.#member(name) });
  }

  #member(name: string | symbol): unknown {
    const real = this.#real;
    const member: unknown = Reflect.get(real, name, real);
    if (typeof member !== "function") return member;
    if (!AWAITED.has(name)) return member.bind(real);
    return async (...args: unknown[]) => {
      this.#moment();
      const value: unknown = await Reflect.apply(member, real, args);
      this.#moment();
      return value;
    };
  }

  #moment(): void {
    this.#moments -= 1;
    if (this.#moments < 0) throw new Error(KILLED);
  }

  /** Kills the process before or after one of its next reads and writes. */
  #killAfter(moments: number): void {
    this.#moments = moments;
  }

  /** Does the work, during which the process is killed, and starts the process again. */
  async killedDuring(moments: number, work: () => Promise<unknown>): Promise<void> {
    this.#killAfter(moments);
    try {
      await work();
    } catch (error) {
      if (!String(error).includes(KILLED)) throw error;
    } finally {
      await this.restart();
    }
  }

  /** Starts the process again, whether or not it was killed. */
  async restart(): Promise<void> {
    this.#moments = Number.POSITIVE_INFINITY;
    await this.#real.close();
    this.#real = await this.#database.open(this.#options);
  }

  async back(): Promise<void> {
    this.#backup = await this.#exported();
  }

  async #exported(): Promise<string> {
    this.#backups += 1;
    const path = join(this.folder, `${this.#backups}.jsonl`);
    const snapshot = await this.#real.openSnapshot();
    await writeFileWhole(path, exportLines(snapshot, { includeDeleted: true }));
    await snapshot.close();
    return path;
  }

  /** Puts the last backup in place of the database; does nothing without one. */
  async restore(): Promise<boolean> {
    if (this.#backup === undefined) return false;
    await this.#real.close();
    await restoreInto(this.#database, this.#backup);
    this.#real = await this.#database.open(this.#options);
    return true;
  }

  async close(): Promise<void> {
    await this.#real.close();
  }
}

async function restoreInto(
  database: TestDatabase,
  file: string,
  newInstance = false,
): Promise<{ readonly warnings?: readonly string[] }> {
  await database.clear();
  const target = { dialect: database.dialect, ...database.target };
  const how = { force: false, newInstance, merge: false, actor: "ann" };
  return await restoreFile(deps, { file, target, ...how });
}
