import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import type { Ids } from "../../src/base/ids.ts";
import { importIssues } from "../../src/ops/imports/import.ts";
import type { Store } from "../../src/store/types/store.ts";

/** A real issue of the judged corpus (README.md). */
export interface CorpusIssue {
  readonly id: string;
  readonly title: string;
  readonly body?: string;
  readonly closed?: boolean;
}

export function corpus(): readonly CorpusIssue[] {
  const text = gunzipSync(readFileSync(join(import.meta.dirname, "corpus.jsonl.gz"))).toString();
  return text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as CorpusIssue);
}

/** Imports the corpus into a new project. The result gives the corpus id for the uid of each issue. */
export async function importCorpus(
  { store, ids }: { readonly store: Store; readonly ids: Ids },
  issues: readonly CorpusIssue[] = corpus(),
): Promise<{
  readonly project_uid: string;
  readonly project_id: number;
  readonly idOf: ReadonlyMap<string, string>;
}> {
  const project_uid = ids.ulid();
  await store.write(async (tx) => {
    const payload = { name: "judged" };
    await tx.append({ type: "project.created", actor: "ann", project_uid, payload });
  });
  const project_id = await store.read(async (reader) => {
    const project = await reader.projects.findByName("judged");
    return project?.id ?? 0;
  });
  const at = "2026-01-01T00:00:00.000Z";
  for (let from = 0; from < issues.length; from += 500) {
    const items = issues.slice(from, from + 500).map(({ id, title, body = "", closed }) => ({
      external_id: id,
      title,
      body,
      author: "ann",
      status: closed === true ? ("closed" as const) : ("open" as const),
      created_at: at,
      updated_at: at,
      ...(closed === true ? { closed_at: at } : {}),
    }));
    await importIssues(
      { store, ids },
      { kind: "none", local: true },
      {
        params: { project_id },
        headers: {},
        query: {},
        body: { source: "beads", items, actor: "ann" },
      },
    );
  }
  const found = await store.read(
    async (reader) =>
      await reader.marks.findImports(
        project_uid,
        "beads",
        issues.map(({ id }) => id),
      ),
  );
  return { project_uid, project_id, idOf: new Map([...found].map(([id, uid]) => [uid, id])) };
}
