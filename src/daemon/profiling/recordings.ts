import type { InspectorNotification, NodeTracing } from "node:inspector";
import type { Session } from "node:inspector/promises";
import { SvcError } from "../../contract/errors.ts";
import type { Pieces } from "../pieces.ts";

/** Waits for the time of the recording. */
export type Wait = () => Promise<void>;

/** The most samples of one CPU profile: its end stops the daemon for as long as they take to write. */
const MAX_SAMPLES = 30_000;
const MIN_SAMPLE_MICROS = 1000;

export async function cpuProfile(wait: Wait, seconds: number): Promise<string> {
  const interval = Math.max(MIN_SAMPLE_MICROS, Math.ceil((seconds * 1e6) / MAX_SAMPLES));
  return await withSession(async (session) => {
    await session.post("Profiler.enable");
    await session.post("Profiler.setSamplingInterval", { interval });
    await session.post("Profiler.start");
    await wait();
    return JSON.stringify((await session.post("Profiler.stop")).profile);
  });
}

/** One sample for about this many allocated bytes. Of what is kept there are fewer, so more of it is sampled. */
const SAMPLE_BYTES = { all: 128 * 1024, kept: 16 * 1024 } as const;

/** Where memory was allocated; `collected` counts objects that are garbage by the end too. */
export async function allocations(wait: Wait, collected: boolean): Promise<string> {
  return await withSession(async (session) => {
    await session.post("HeapProfiler.enable");
    await session.post("HeapProfiler.startSampling", {
      samplingInterval: collected ? SAMPLE_BYTES.all : SAMPLE_BYTES.kept,
      includeObjectsCollectedByMajorGC: collected,
      includeObjectsCollectedByMinorGC: collected,
    });
    await wait();
    return JSON.stringify((await session.post("HeapProfiler.stopSampling")).profile);
  });
}

/**
 * What Node and V8 tell rarely. The categories left out tell something of each request, promise and turn of the event
 * loop: to write out a second of that under load stops the daemon for as long.
 */
const CATEGORIES = [
  "v8",
  "node.bootstrap",
  "node.dns",
  "node.fs.sync",
  "node.fs_dir.sync",
  "node.promises.rejections",
  "node.vm.script",
];

/** Events in the form of Chrome's trace viewer. */
export async function trace(wait: Wait): Promise<string> {
  return await withSession(async (session) => {
    const traceEvents: object[] = [];
    session.on(
      "NodeTracing.dataCollected",
      ({ params }: InspectorNotification<NodeTracing.DataCollectedEventDataType>) => {
        traceEvents.push(...params.value);
      },
    );
    const complete = new Promise<void>((resolve) =>
      session.once("NodeTracing.tracingComplete", () => resolve()),
    );
    await session.post("NodeTracing.start", { traceConfig: { includedCategories: CATEGORIES } });
    try {
      await wait();
    } finally {
      await session.post("NodeTracing.stop");
    }
    await complete;
    return JSON.stringify({ traceEvents });
  });
}

const RESOLUTION_MS = 10;
const PERCENTILES = [50, 90, 99, 99.9, 100];

/** How late the event loop comes to a timer: the time for which it was blocked. */
export async function loopDelay(wait: Wait): Promise<string> {
  const { monitorEventLoopDelay } = await import("node:perf_hooks");
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  delay.enable();
  try {
    await wait();
  } finally {
    delay.disable();
  }
  const ms = (nanoseconds: number): number => Math.round(nanoseconds / 1000) / 1000;
  const percentiles = PERCENTILES.map((at) => [at, ms(delay.percentile(at))] as const);
  return JSON.stringify({
    unit: "ms between two runs of a timer",
    timer_ms: RESOLUTION_MS,
    count: delay.count,
    ...(delay.count > 0 && { min: ms(delay.min), mean: ms(delay.mean), max: ms(delay.max) }),
    percentiles: Object.fromEntries(delay.count > 0 ? percentiles : []),
  });
}

/** All of the heap, secrets included. V8 stops the daemon while it goes through it (docs/profiling.md). */
export async function* heapSnapshot(): Pieces {
  const { getHeapSnapshot } = await import("node:v8");
  const pieces = getHeapSnapshot();
  try {
    for await (const piece of pieces) yield piece as Buffer;
  } finally {
    pieces.destroy();
  }
}

/** Whatever a session has begun ends with it. */
async function withSession<T>(work: (session: Session) => Promise<T>): Promise<T> {
  if (!process.features.inspector) throw new SvcError("profile_unsupported");
  const { Session } = await import("node:inspector/promises");
  const session = new Session();
  session.connect();
  try {
    return await work(session);
  } finally {
    session.disconnect();
  }
}
