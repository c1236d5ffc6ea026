import type { Worker } from "node:worker_threads";

/**
 * Starts a thread of this process. A thread without a compile cache spends most of its start compiling, and Node does
 * not use its compile cache in new threads. So the cache's folder is passed as `compileCache`, and the build
 * (`scripts/build.ts`) puts a line into each thread's file that enables the cache there.
 *
 * @param youngMiB limits the memory for new objects, which V8 otherwise enlarges to 192 MiB
 */
export function newThread(file: string, data: object, youngMiB?: number): Worker {
  // Loaded when the first thread starts, to keep the daemon's start short.
  const { Worker: NodeWorker } = process.getBuiltinModule("node:worker_threads");
  const folder = process.getBuiltinModule("node:module").getCompileCacheDir();
  const { basename, dirname, extname } = process.getBuiltinModule("node:path");
  const compileCache = folder === undefined ? undefined : dirname(folder);
  return new NodeWorker(file, {
    name: basename(file, extname(file)),
    workerData: { ...data, compileCache },
    ...(youngMiB === undefined ? {} : { resourceLimits: { maxYoungGenerationSizeMb: youngMiB } }),
  });
}
