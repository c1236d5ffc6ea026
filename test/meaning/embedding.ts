import { onTestFinished } from "vitest";
import type { Prepared } from "../../src/meaning/batches.ts";
import { Embedder } from "../../src/meaning/embedder.ts";
import type { Embedded } from "../../src/meaning/provider.ts";
import type { EmbeddedIssue } from "../../src/store/types/vectors.ts";
import { serveProvider } from "./provider/server.ts";
import { ProviderState } from "./provider/state.ts";
import { DIMS, providerAt } from "./support.ts";

/** An issue whose text was cut into these chunks. */
export function issue(id: number, ...chunks: readonly string[]): Prepared {
  const mark = { id, uid: `uid ${id}`, project_uid: "board", content_revision: 1 };
  return { mark, text_hash: `hash ${id}`, chunks };
}

/** An embedder with a real provider, and what it has stored, in the order in which it was. */
export async function embedding({ batchSize = 4, mostCalls = 32 } = {}) {
  const state = new ProviderState();
  state.behave({ dims: DIMS });
  const { baseUrl, close } = await serveProvider(state);
  onTestFinished(close);
  const { provider, clock } = providerAt(baseUrl);
  const answers: Embedded[] = [];
  const embedder = new Embedder({
    clock,
    provider,
    settings: { batchSize, timeoutMs: 30_000 },
    answered: (answer) => void answers.push(answer),
  });
  const stored: EmbeddedIssue[] = [];
  const stop = new AbortController();
  const embed = async (...issues: readonly Prepared[]) => {
    const end = embedder.calls + mostCalls;
    return await embedder.embed(issues, {
      signal: stop.signal,
      isOver: () => embedder.calls >= end,
      store: async (some) => await Promise.resolve(void stored.push(...some)),
    });
  };
  const outcome = () => stored.map(({ issue_id, state: is }) => `${issue_id} ${is}`);
  return { state, clock, embedder, answers, stored, stop, embed, outcome };
}
