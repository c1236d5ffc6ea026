import type { Worker } from "node:worker_threads";

/**
 * Starts a thread of this process. Node's compile cache is off in new threads, so the built file of a thread enables it
 * in the folder that is passed as `compileCache`; without the cache, compiling takes most of the thread's start.
 */
export function newThread(file: string, data: object): Worker {
  // Loaded when the first thread starts, to keep the daemon's start short.
  const { Worker: NodeWorker } = process.getBuiltinModule("node:worker_threads");
  const folder = process.getBuiltinModule("node:module").getCompileCacheDir();
  const { basename, dirname, extname } = process.getBuiltinModule("node:path");
  const compileCache = folder === undefined ? undefined : dirname(folder);
  return new NodeWorker(file, {
    name: basename(file, extname(file)),
    workerData: { ...data, compileCache },
  });
}
