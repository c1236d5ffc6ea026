import fc from "fast-check";
import { expect, test } from "vitest";
import { closeIssue, reopenIssue, setIssuePriority } from "../../src/contract/actions.ts";
import { undoImport } from "../../src/contract/import-batches.ts";
import { importIssues } from "../../src/contract/imports.ts";
import { editIssue, showIssue } from "../../src/contract/issues.ts";
import { addLabel, removeLabel } from "../../src/contract/labels.ts";
import type { Input } from "../../src/contract/route.ts";
import { expectFolded } from "../store/fold.ts";
import { describeStore } from "../support/store.ts";
import { world } from "../support/world.ts";

type Item = Input<typeof importIssues>["body"]["items"][number];

const IDS = ["a", "b", "c", "d", "e"];
const LABELS = ["ui", "bug"];
const FIELDS = ["title", "body", "priority", "status", "label ui", "label bug"];

/** The fields of an issue by name. A link is a field of the issue that names it. */
type ShownFields = ReadonlyMap<string, unknown>;

interface Version {
  readonly title: number;
  readonly body: number;
  readonly priority: number | undefined;
  readonly closed: boolean;
  readonly labels: readonly string[];
  readonly blockers: readonly string[];
}

const version: fc.Arbitrary<Version> = fc.record({
  title: fc.nat(2),
  body: fc.nat(2),
  priority: fc.option(fc.nat(2), { nil: undefined }),
  closed: fc.boolean(),
  labels: fc.uniqueArray(fc.constantFrom(...LABELS)),
  blockers: fc.uniqueArray(fc.constantFrom(...IDS), { maxLength: 2 }),
});
/** The file of the other tracker. An id without an issue is not in the file. */
const file = fc.array(fc.option(version, { freq: 3 }), {
  minLength: IDS.length,
  maxLength: IDS.length,
});
const edits = fc.array(fc.tuple(fc.constantFrom(...IDS), fc.constantFrom(...FIELDS)), {
  maxLength: 5,
});

describeStore("the undo of a random import", (open) => {
  test("leaves the state that a model of the undo predicts", async () => {
    await fc.assert(fc.asyncProperty(file, edits, file, edits, play), {
      numRuns: open.dialect === "sqlite" ? 60 : 8,
    });
  }, 120_000);

  type File = readonly (Version | null)[];
  type Edits = readonly (readonly [id: string, field: string])[];

  async function play(first: File, before: Edits, second: File, after: Edits): Promise<void> {
    const w = await world({ store: open });
    const { path } = await w.given.project("web");
    const refs = new Map<string, string>();
    const at = (id: string) => ({ ...path, ref: refs.get(id) ?? "none" });
    const bring = async (items: Item[]) => {
      w.clock.advance(1000);
      const result = await w.call(importIssues, { params: path, body: { source: "x", items } });
      for (const one of result.items) refs.set(one.external_id, one.issue_short_id);
      return result.batch_uid;
    };
    const read = async (): Promise<ReadonlyMap<string, ShownFields>> => {
      const names = new Map([...refs].map(([id, ref]) => [ref, id]));
      const all = new Map<string, ShownFields>();
      for (const id of refs.keys()) {
        const response = await w.send(showIssue, { params: at(id) });
        if (response.status === 404) continue;
        const { issue, links } = await w.call(showIssue, { params: at(id) });
        const { title, body, priority, labels } = issue;
        const status = `${issue.status} ${issue.closed_reason} ${issue.closed_at}`;
        const blockers = links
          .filter((link) => link.type === "blocks" && link.to.short_id === refs.get(id))
          .map((link) => names.get(link.from.short_id));
        all.set(
          id,
          new Map<string, unknown>([
            ...Object.entries({ title, body, priority, status }),
            ...LABELS.map((label) => [`label ${label}`, labels.includes(label)] as const),
            ...IDS.map((other) => [`blocked by ${other}`, blockers.includes(other)] as const),
          ]),
        );
      }
      return all;
    };
    let count = 0;
    const edit = async ([id, field]: Edits[number], state: ShownFields): Promise<void> => {
      count += 1;
      const params = at(id);
      const by = { actor: "bea" };
      if (field === "title")
        await w.call(editIssue, { params, body: { title: `t${count}`, ...by } });
      else if (field === "body")
        await w.call(editIssue, { params, body: { body: `b${count}`, ...by } });
      else if (field === "priority")
        await w.call(setIssuePriority, { params, body: { priority: 3 + (count % 2), ...by } });
      else if (field === "status") {
        const message = "closed here, since it was decided in the meeting of this week";
        if (String(state.get("status")).startsWith("closed"))
          await w.call(reopenIssue, { params, body: by });
        else await w.call(closeIssue, { params, body: { reason: "wontfix", message, ...by } });
      } else {
        const label = field.slice("label ".length);
        if (state.get(field) === true)
          await w.call(removeLabel, { params: { ...params, label }, query: by });
        else await w.call(addLabel, { params, body: { label, ...by } });
      }
    };
    const work = async (all: Edits): Promise<ReadonlySet<string>> => {
      const done = new Set<string>();
      for (const one of all) {
        const state = (await read()).get(one[0]);
        if (state === undefined) continue;
        await edit(one, state);
        done.add(`${one[0]} ${one[1]}`);
      }
      return done;
    };

    await bring(itemsOf(first, "2025-06-01T10:00:00Z"));
    await work(before);
    const old = await read();
    const batch_uid = await bring(itemsOf(second, "2025-07-01T10:00:00Z"));
    const brought = await read();
    const touched = await work(after);
    const now = await read();

    const params = { ...path, batch_uid };
    const planned = await w
      .call(undoImport, { params, body: { dry_run: true } })
      .catch((error: unknown) => error);
    if (planned instanceof Error) {
      expect(planned.message).toContain("import_not_found");
      return;
    }
    const done = await w.call(undoImport, { params, body: {} });
    const { batch: _, ...account } = done;
    expect({ ...account, dry_run: true }).toEqual(planned);

    const conflicts = new Set<string>();
    const expected = new Map<string, ShownFields>();
    for (const [id, state] of now) {
      const [was, then] = [old.get(id), brought.get(id)];
      const isTouched = FIELDS.some((field) => touched.has(`${id} ${field}`));
      if (was === undefined) {
        if (!isTouched) continue;
        conflicts.add(id);
      } else {
        const own = [...state.keys()].filter((field) => was.get(field) !== then?.get(field));
        const isKept = (field: string) => touched.has(`${id} ${field}`);
        if (own.some((field) => isKept(field) && state.get(field) !== was.get(field)))
          conflicts.add(id);
        else {
          const back = own.filter((field) => !isKept(field));
          expected.set(
            id,
            new Map([...state, ...back.map((field) => [field, was.get(field)] as const)]),
          );
          continue;
        }
      }
      expected.set(id, state);
    }
    const shown = new Map(
      [...expected].map(([id, state]) => [id, withoutGone(state, (other) => expected.has(other))]),
    );
    expect(await read()).toEqual(shown);
    expect(new Set(done.conflicts.map(({ qualified_id }) => qualified_id))).toEqual(
      new Set([...conflicts].map((id) => `web#${refs.get(id)}`)),
    );
    await expectFolded(w.store);

    const events = await w.events();
    await w.call(undoImport, { params, body: {} });
    expect(await w.events()).toEqual(events);
    if (after.length > 0) return;
    await bring(itemsOf(second, "2025-07-01T10:00:00Z"));
    expect(await read()).toEqual(brought);
  }

  function itemsOf(versions: File, updated_at: string): Item[] {
    return versions.flatMap((one, place) => {
      if (one === null) return [];
      const id = IDS[place] ?? "";
      const links = one.blockers
        .filter((other) => other > id)
        .map((other) => ({ type: "blocks" as const, incoming: true, target_external_id: other }));
      const item: Item = {
        ...{
          external_id: id,
          author: "ann",
          title: `title ${one.title}`,
          body: `body ${one.body}`,
        },
        ...{ created_at: "2025-05-01T10:00:00Z", updated_at, labels: [...one.labels], links },
        status: one.closed ? "closed" : "open",
        ...(one.priority === undefined ? {} : { priority: one.priority }),
        ...(one.closed ? { closed_at: updated_at } : {}),
      };
      return [item];
    });
  }

  /** Links to deleted issues are not shown. */
  function withoutGone(state: ShownFields, isThere: (id: string) => boolean): ShownFields {
    const isShown = (field: string) =>
      !field.startsWith("blocked by ") || isThere(field.slice("blocked by ".length));
    return new Map(
      [...state].map(([field, value]) => [
        field,
        value === true && !isShown(field) ? false : value,
      ]),
    );
  }
});
