import type { InspectorNotification, NodeTracing } from "node:inspector";
import type { Session } from "node:inspector/promises";
import { SvcError } from "../../contract/errors.ts";
import type { Pieces } from "../replies/pieces.ts";

export type Wait = () => Promise<void>;

/** The maximum number of samples in a CPU profile. Writing them at the end of the profile blocks the daemon. */
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

/**
 * A profile takes one sample for about this many allocated bytes. `all` records all objects; `kept` records only
 * objects that still exist at the end, which are fewer, so it takes samples more often.
 */
const SAMPLE_BYTES = { all: 128 * 1024, kept: 16 * 1024 } as const;

/**
 * Returns where memory was allocated. With `collected`, this includes objects that were garbage-collected before the
 * end.
 */
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
 * The categories of events that a trace records. Node has more, but those write an event for every request, promise or
 * pass of the event loop: under load, the events of one second then block the daemon for another second.
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

/** Returns the events in the format of Chrome's trace viewer. */
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

/** Returns how late the event loop runs a timer, which is how long it was blocked. */
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

/** Yields the whole heap, secrets included. V8 blocks the daemon while it reads the heap (docs/profiling.md). */
export async function* heapSnapshot(): Pieces {
  const { getHeapSnapshot } = await import("node:v8");
  const pieces = getHeapSnapshot();
  try {
    for await (const piece of pieces) yield piece as Buffer;
  } finally {
    pieces.destroy();
  }
}

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
