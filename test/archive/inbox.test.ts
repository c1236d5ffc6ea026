import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { restoreFile } from "../../src/archive/restore.ts";
import { slotOf } from "../../src/domain/inbox/slot.ts";
import { clearIssueRequest } from "../../src/ops/inbox/clear.ts";
import { DateSweep } from "../../src/ops/inbox/date-sweep.ts";
import { listInboxGlobal } from "../../src/ops/inbox/list.ts";
import { notifyIssue } from "../../src/ops/inbox/notify.ts";
import type { Store } from "../../src/store/types/store.ts";
import { created, projectCreated, uid } from "../store/drafts.ts";
import {
  type Dialect,
  deps,
  examine,
  exportTo,
  freshTarget,
  plain,
  scratch,
  withStore,
} from "./targets.ts";

const PROJECT = uid(1);
const [ASKED, CLEARED, WAITING] = [uid(2), uid(3), uid(4)];
const ANN = { kind: "db_token", local: true, actor: "ann" } as const;

/** Writes three requests: one by a person, one by the daemon that was cleared, and one by the daemon. */
async function story(store: Store): Promise<void> {
  await store.write(async (tx) => {
    await tx.append(projectCreated(PROJECT, "web"));
    const metadata = { deadline_on: "2020-01-01" };
    await tx.append(created(PROJECT, ASKED));
    await tx.append(created(PROJECT, CLEARED, { metadata }));
    await tx.append(created(PROJECT, WAITING, { metadata }));
  });
  const params = (ref: string) => ({ project_id: 1, ref });
  const rest = { query: {}, headers: {} };
  const body = { to: "worker", message: "look" };
  await notifyIssue({ store }, ANN, { params: params(ASKED), body, ...rest });
  expect(await sweep(store)).toBe(2);
  const author = await store.read(async ({ issues }) => (await issues.find(CLEARED))?.author ?? "");
  const clear = { params: params(CLEARED), body: { to: author }, ...rest };
  expect(await clearIssueRequest({ store }, ANN, clear)).toMatchObject({ changed: true });
}

async function sweep(store: Store): Promise<number> {
  const settings = {
    timezone: "UTC",
    close_throttle: { enabled: false, window_ms: 60_000, limit: 3 },
  };
  const dates = new DateSweep({ ...deps, store, settings }, (_uid, error) => {
    throw error;
  });
  return await dates.pass(new AbortController().signal);
}

const inbox = async (store: Store) =>
  await listInboxGlobal({ store }, ANN, {
    params: {},
    query: { for: "worker" },
    headers: {},
    body: {},
  });

const CASES: readonly (readonly [Dialect, Dialect])[] = [
  ["sqlite", "postgres"],
  ["postgres", "sqlite"],
];

describe("an export with requests", () => {
  test.each(CASES)(
    "an export that is restored from %s to %s has each request with its event, and no date sends a second request",
    async (from, to) => {
      const folder = await scratch();
      const source = await freshTarget(from, folder);
      await withStore(source, story);
      const before = await withStore(source, inbox);
      expect(before.requests).toMatchObject([{ issue_uid: ASKED, message: "look" }]);
      const file = join(folder, "one.jsonl");
      const first = await exportTo(source, file);
      const target = await freshTarget(to, folder);
      await restoreFile(deps, { ...plain, file, target });
      expect(await exportTo(target, join(folder, "two.jsonl"))).toBe(first);
      const report = await examine(target);
      expect(report).not.toHaveProperty("fold");
      await withStore(target, async (store) => {
        expect(await inbox(store)).toEqual(before);
        expect(await sweep(store)).toBe(0);
        const issues = await store.read(async (reader) => [
          await reader.issues.find(CLEARED),
          await reader.issues.find(WAITING),
        ]);
        const [cleared, waiting] = issues.map((issue) => issue?.metadata ?? {});
        const slot = slotOf(issues[0]?.author ?? "");
        expect(cleared).not.toHaveProperty([slot]);
        expect(waiting).toHaveProperty([slot, "from"], "system");
      });
    },
  );
});
