import type { Worker } from "node:worker_threads";

/**
 * A thread of this process. Node's cache of compiled code is not on in a thread; the built file of one turns it on in
 * the folder that it is told here, since compiling took most of the thread's start.
 */
export function newThread(file: string, data: object): Worker {
  // Loaded by the first thread, to keep the daemon's start short.
  const { Worker: NodeWorker } = process.getBuiltinModule("node:worker_threads");
  const folder = process.getBuiltinModule("node:module").getCompileCacheDir();
  const { dirname } = process.getBuiltinModule("node:path");
  const compileCache = folder === undefined ? undefined : dirname(folder);
  return new NodeWorker(file, { workerData: { ...data, compileCache } });
}
