import { instantToMs } from "../base/clock.ts";
import { counted } from "../base/counted.ts";
import { formatDuration } from "../base/durations.ts";
import type { showEmbeddings, testEmbeddings } from "../contract/embeddings.ts";
import type { health } from "../contract/health.ts";
import type { Output } from "../contract/route.ts";
import type { Finding } from "../domain/finding.ts";

type Block = NonNullable<Output<typeof health>["embeddings"]>;
type Tested = Output<typeof testEmbeddings>;

type Shown = Output<typeof showEmbeddings>;

/** A backlog of which nothing was done for so long is worth a warning. */
const SILENT_MS = 10 * 60_000;

/**
 * Warns if the embedding provider does not embed a word, or if no issue of the backlog was embedded for ten minutes.
 * Searches by words work without the provider, so this check never fails.
 */
export function checkEmbeddings(block: Block, tested: Tested, nowMs: number): Finding {
  const details = { embeddings: block, tested };
  const { backlog } = block;
  const left = backlog === 0 ? "" : `; ${counted(backlog, "issue")} to embed`;
  if (tested.result === "failed") {
    const { status, reason } = tested;
    const answered =
      status === undefined ? "gave no answer that can be used" : `answered with status ${status}`;
    const summary = `the embedding provider ${answered}${left}`;
    return {
      status: "warning",
      summary,
      details,
      ...(reason === undefined ? {} : { fix: reason }),
    };
  }
  const since = block.last_progress_at ?? block.started_at;
  const silentMs = since === undefined ? 0 : nowMs - instantToMs(since);
  if (backlog > 0 && silentMs >= SILENT_MS) {
    const minutes = formatDuration(Math.floor(silentMs / 60_000) * 60_000);
    const summary = `no issue was embedded for ${minutes}${left}`;
    return { status: "warning", summary, details, fix: "svc search status says why" };
  }
  const took = tested.ms === undefined ? "" : ` in ${tested.ms} ms`;
  return { status: "ok", summary: `the embedding provider embeds a word${took}${left}`, details };
}

/** Warns if the daemon cannot read or write the index of meanings. Otherwise returns undefined. */
export function checkIndex(shown: Shown): Finding | undefined {
  if (shown.index_failed !== true) return undefined;
  const { error_cure: fix } = shown;
  return {
    status: "warning",
    summary: "the index of meanings cannot be read or written",
    details: { embeddings: shown },
    ...(fix === undefined ? {} : { fix }),
  };
}
