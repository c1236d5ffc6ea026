import { systemClock } from "../../base/clock.ts";
import { systemIds } from "../../base/ids.ts";
import type { Backend } from "../../store/backend.ts";
import { openBackend } from "../../store/open.ts";
import { keepVerified, type Verified } from "../../store/refold/checkpoint.ts";
import { beginAlone } from "../../store/write-lock/begin.ts";
import type { Target } from "../target.ts";

/** How many verified subjects are written in one transaction. */
const SUBJECTS_PER_WRITE = 2000;

/**
 * Stores in the database what doctor has verified, in short transactions between those of a daemon. A stored digest
 * stays valid whatever is stored later. So if doctor is killed, the next run can use what was stored until then.
 */
export class CheckpointWriter {
  readonly #target: Target;
  #backend: Backend | undefined;
  #waiting: Verified[] = [];
  #isWritable = true;

  constructor(target: Target) {
    this.#target = target;
  }

  async keep(verified: readonly Verified[]): Promise<void> {
    this.#waiting.push(...verified);
    if (this.#waiting.length >= SUBJECTS_PER_WRITE) await this.#write();
  }

  async close(): Promise<void> {
    await this.#write();
    await this.#backend?.close();
  }

  /**
   * Writes the waiting entries. Stops writing after the first error, because doctor also runs where nothing can be
   * written: on a standby, on a full disk, or on another user's file.
   */
  async #write(): Promise<void> {
    const verified = this.#waiting;
    this.#waiting = [];
    if (!this.#isWritable || verified.length === 0) return;
    try {
      this.#backend ??= await openBackend({
        ...this.#target,
        ...{ clock: systemClock, ids: systemIds(), timezone: "UTC" },
        // Do not take the lock: the snapshot already has the file open.
        served: true,
      });
      await written(this.#backend, verified);
    } catch {
      this.#isWritable = false;
    }
  }
}

async function written(backend: Backend, verified: readonly Verified[]): Promise<void> {
  const connection = await backend.writer();
  await beginAlone(backend, connection);
  try {
    await keepVerified(connection, verified);
    await backend.commit(connection, backend.proofFor(0));
  } catch (error) {
    if (backend.inTransaction(connection)) await connection.execute("rollback", []);
    throw error;
  }
}
