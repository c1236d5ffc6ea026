import { execFileSync } from "node:child_process";
import { describe, expect, test } from "vitest";
import { transportOf } from "../../src/client/transport.ts";
import { performWrite } from "../../src/screen/effects/writing.ts";
import { commandOf } from "../../src/screen/writes/command-line.ts";
import type { At, Write } from "../../src/screen/writes/writes.ts";
import { pictureOf, type ShownIssue, type Twins, twins } from "./twins.ts";

/** Parses the line as a shell does. Returns the words of each command; the commands stop at the first that fails. */
function wordsOf(line: string): readonly (readonly string[])[] {
  const script = `svc() { printf '%s\\0' "$@"; printf '\\1\\0'; }\n${line}`;
  const printed = execFileSync("sh", ["-c", script], { encoding: "utf8" });
  return printed
    .split("\u0001\u0000")
    .slice(0, -1)
    .map((command) => command.split("\u0000").slice(0, -1));
}

async function typed({ run }: Twins, write: Write): Promise<void> {
  for (const words of wordsOf(commandOf(write, "ann"))) {
    const { code, err } = await run(words, { env: { SVC_AUTHOR: "ann" } });
    if (code !== 0) throw new Error(`${words.join(" ")}: ${err}`);
  }
}

const MESSAGE = "What holds now is said here, in a sentence that is long enough for wontfix.";
const none = { revision: undefined } as const;

/** Each kind of write about one issue, and what must come before it. */
const WRITES: Readonly<Record<string, Case>> = {
  title: {
    write: (at) => ({
      act: "edit",
      at,
      title: 'It\'s "quoted" $HOME `x` -- 日本',
      body: undefined,
      ...none,
    }),
  },
  "title that begins like a flag": {
    write: (at) => ({ act: "edit", at, title: "--help", body: undefined, ...none }),
  },
  text: {
    write: (at) => ({ act: "edit", at, title: undefined, body: "# Two\n\n- lines\n", ...none }),
  },
  "text that begins like a flag": {
    write: (at) => ({ act: "edit", at, title: undefined, body: "- one\n- two", ...none }),
  },
  "no text": { write: (at) => ({ act: "edit", at, title: undefined, body: "", ...none }) },
  "set the parent": {
    write: (at, { other }) => ({
      act: "link",
      at,
      change: { kind: "parent", does: "add", refs: [other] },
    }),
  },
  "remove the parent": {
    before: (at, { other }) => [["edit", at.ref, "--parent", other]],
    write: (at, { other }) => ({
      act: "link",
      at,
      change: { kind: "parent", does: "remove", refs: [other] },
    }),
  },
  "add blockers": {
    write: (at, { other }) => ({
      act: "link",
      at,
      change: { kind: "blocked_by", does: "add", refs: [other] },
    }),
  },
  "remove a blocker": {
    before: (at, { other }) => [["edit", at.ref, "--blocked-by", other]],
    write: (at, { other }) => ({
      act: "link",
      at,
      change: { kind: "blocked_by", does: "remove", refs: [other] },
    }),
  },
  "block another": {
    write: (at, { other }) => ({
      act: "link",
      at,
      change: { kind: "blocks", does: "add", refs: [other] },
    }),
  },
  "block another no more": {
    before: (at, { other }) => [["edit", at.ref, "--blocks", other]],
    write: (at, { other }) => ({
      act: "link",
      at,
      change: { kind: "blocks", does: "remove", refs: [other] },
    }),
  },
  relate: {
    write: (at, { other }) => ({
      act: "link",
      at,
      change: { kind: "related", does: "add", refs: [other] },
    }),
  },
  "relate no more": {
    before: (at, { other }) => [["edit", at.ref, "--related", other]],
    write: (at, { other }) => ({
      act: "link",
      at,
      change: { kind: "related", does: "remove", refs: [other] },
    }),
  },
  comment: { write: (at) => ({ act: "comment", at, body: "- is no flag", key: `key-${at.ref}` }) },
  "edit a comment": {
    write: (at, _world, comment) => {
      return { act: "edit-comment", at, comment, body: "--as it is", before: "as it was" };
    },
  },
  reopen: {
    before: (at) => [["close", at.ref, "--wontfix", "-m", MESSAGE]],
    write: (at) => ({ act: "reopen", at }),
  },
  assign: { write: (at) => ({ act: "assign", at, owner: "cy" }) },
  unassign: { write: (at) => ({ act: "unassign", at }) },
  label: { write: (at) => ({ act: "label", at, label: "ui" }) },
  unlabel: { write: (at) => ({ act: "unlabel", at, label: "bug" }) },
  priority: { write: (at) => ({ act: "priority", at, priority: 0 }) },
  "no priority": { write: (at) => ({ act: "priority", at, priority: undefined }) },
  dates: {
    before: (at) => [["deadline", at.ref, "2027-01-01"]],
    write: (at) => ({
      act: "metadata",
      at,
      patch: {
        scheduled_on: "2026-12-01T09:00",
        timezone: "Europe/Paris",
        someday: true,
        deadline_on: null,
      },
    }),
  },
  delete: { write: (at) => ({ act: "delete", at }) },
  restore: {
    before: (at) => [["delete", at.ref, "--force", "--confirm", `DELETE ${at.name}`]],
    write: (at) => ({ act: "restore", at }),
  },
  notify: { write: (at) => ({ act: "notify", at, to: "dee/cli", message: 'look; it\'s "odd"' }) },
  clear: {
    before: (at) => [["notify", at.ref, "--to", "dee", "--message", "look"]],
    write: (at) => ({ act: "clear", at, to: "dee", event_uid: undefined }),
  },
  release: {
    before: (at) => [["lease", "acquire", at.ref, "--as", "eve"]],
    write: (at) => ({ act: "release", at, reason: "eve is gone" }),
  },
  steal: {
    before: (at) => [["lease", "acquire", at.ref, "--as", "eve"]],
    write: (at) => ({ act: "steal", at, reason: "eve is gone" }),
  },
};

interface Case {
  readonly before?: (at: At, world: Twins) => readonly (readonly string[])[];
  readonly write: (at: At, world: Twins, comment: string) => Write;
}

/**
 * Makes the write on one issue by the screen and on the other by the command line. Returns both issues before and
 * after.
 */
async function bothWays(w: Twins, { before, write }: Case) {
  for (const at of [w.screen, w.shell])
    for (const words of before?.(at, w) ?? []) await w.ok(words);
  const commentOf = async ({ ref }: At): Promise<string> => {
    const { comments } = (await w.json("show", ref, "--include-deleted")) as {
      comments: { uid: string }[];
    };
    return comments[0]?.uid ?? "";
  };
  const unchanged = await pictureOf(w, w.shell.uid);
  expect(await pictureOf(w, w.screen.uid)).toEqual(unchanged);
  await performWrite(transportOf(w.client), "ann", write(w.screen, w, await commentOf(w.screen)));
  await typed(w, write(w.shell, w, await commentOf(w.shell)));
  const [screen, shell] = [await pictureOf(w, w.screen.uid), await pictureOf(w, w.shell.uid)];
  return { screen, shell, unchanged };
}

describe("the logged command has the same effect on an issue as the screen", () => {
  test.each(Object.entries(WRITES))(
    "the logged command of %s does the same as the screen",
    async (_name, one) => {
      const { screen, shell, unchanged } = await bothWays(await twins(), one);
      expect(shell).toEqual(screen);
      expect(screen).not.toEqual(unchanged);
    },
  );

  test("the logged command of a move does the same as the screen", async () => {
    const w = await twins();
    const { projects } = (await w.json("projects", "list")) as {
      projects: { id: number; uid: string; name: string }[];
    };
    const to = projects.find(({ name }) => name === "infra");
    if (to === undefined) throw new Error("infra is there");
    const { screen, shell, unchanged } = await bothWays(w, {
      write: (at) => ({ act: "move", at, to }),
    });
    expect(shell).toEqual(screen);
    expect(screen).not.toEqual(unchanged);
  });

  test.each([
    [
      "done",
      [
        ["commit", "1f2e3d4"],
        ["commit", "2f2e3d4"],
        ["pr", "https://example.org/pr/1"],
        ["test", "npm test -- -t 'a b'"],
        ["reviewed-paths", "a b.ts"],
        ["reviewed-paths", "c.ts"],
        ["external", "the shop"],
      ],
    ],
    ["wontfix", []],
    ["duplicate", [["duplicate-of", "other"]]],
    ["superseded", [["superseded-by", "other"]]],
    [
      "audit-no-change",
      [
        ["no-change-audit", "it was right"],
        ["reviewed-paths", "x.ts"],
      ],
    ],
  ] as const)(
    "the logged command of a close as %s does the same as the screen",
    async (reason, evidence) => {
      const w = await twins();
      const given = evidence.map(([type, value]) => ({
        type,
        value: value === "other" ? w.other : value,
      }));
      const closed: (string | undefined)[] = [];
      const { screen, shell } = await bothWays(w, {
        write: (at) => ({ act: "close", at, reason, message: MESSAGE, evidence: given }),
      });
      expect(shell).toEqual(screen);
      for (const { ref } of [w.screen, w.shell]) {
        const { events } = (await w.json("events", "--issue", ref, "--type", "issue.closed")) as {
          events: { payload: { message: string; evidence: unknown } }[];
        };
        closed.push(JSON.stringify([events[0]?.payload.message, events[0]?.payload.evidence]));
      }
      expect(closed[0]).toBe(closed[1]);
      expect(closed[0]).toContain(MESSAGE);
    },
  );

  test.each([
    [
      "with the title only",
      {
        title: "New one",
        body: "",
        labels: [],
        owner: undefined,
        priority: undefined,
        parent: undefined,
        force_new: false,
      },
    ],
    [
      "with every field",
      {
        title: "--new 'one'",
        body: "-\n\n$x",
        labels: ["a", "b"],
        owner: "bo",
        priority: 0,
        parent: "other",
        force_new: true,
      },
    ],
  ] as const)(
    "the logged command of a create, %s, does the same as the screen",
    async (_name, more) => {
      const w = await twins();
      const project = {
        id: w.screen.project_id,
        name: w.screen.name.slice(0, -w.screen.ref.length - 1),
      };
      const parent = more.parent === undefined ? undefined : w.other;
      const creation = (key: string): Write => ({ act: "create", project, ...more, parent, key });
      const { issue } = await performWrite(transportOf(w.client), "ann", creation("a"));
      await typed(w, { ...creation("b"), ...(more.force_new ? {} : { force_new: true }) } as Write);
      const { issues } = (await w.json("list")) as { issues: ShownIssue[] };
      const made = issues.find(
        ({ uid, ...one }) => uid !== issue?.uid && "title" in one && one.title === more.title,
      );
      expect(await pictureOf(w, made?.uid ?? "")).toEqual(await pictureOf(w, issue?.uid ?? ""));
    },
  );
});

describe("the logged command has the same effect on a job as the screen", () => {
  test.each([
    ["on", false],
    ["off", true],
  ])(
    "the logged command turns a job %s as the screen does, and leaves the rest of its definition",
    async (_word, enabled) => {
      const w = await twins();
      const made = async (uid: string): Promise<string> => {
        const options = '"options":{"z":1.10,"a":[1E400,12345678901234567890]}';
        const definition = `{"version":1,"kind":"job","enabled":${enabled},"trigger":{"kind":"manual"},"action":{"kind":"execute","prompt":"check"},"issue":{"kind":"existing","uid":"${w.screen.uid}"},"overlap":"forbid","catchup":"skip",${options}}`;
        const stdin = `{"name":"nightly check","definition":${definition}}`;
        await w.run(["cron", "job", "create", "--file", "-", "--uid", uid], { stdin });
        return uid;
      };
      const shown = async (uid: string) => {
        const text = await w.ok(["cron", "job", "show", uid]);
        const { job } = JSON.parse(text) as { job: { definition_event_uid: string } };
        const [, definition] = /"definition":(.*),"definition_event_uid"/.exec(text) ?? [];
        return { definition, event: job.definition_event_uid };
      };
      const uids = [
        await made("01K4M0000000000000000000E1"),
        await made("01K4M0000000000000000000E2"),
      ] as const;
      const turn = async (uid: string): Promise<Write> => {
        const { project_id, name } = w.screen;
        const at = { uid, project_id, ref: uid, name: "nightly check" };
        const { event: expected } = await shown(uid);
        return { act: "toggle", at, project: name.split("#", 1)[0] ?? "", on: !enabled, expected };
      };
      const before = await shown(uids[0]);
      const [screen, shell] = [await turn(uids[0]), await turn(uids[1])];
      const { job } = await performWrite(transportOf(w.client), "ann", screen);
      await typed(w, shell);
      const [one, other] = [await shown(uids[0]), await shown(uids[1])];
      expect(other.definition).toBe(one.definition);
      const flag = (on: boolean): string => `"enabled":${on}`;
      expect(one.definition).toBe(before.definition?.replace(flag(enabled), flag(!enabled)));
      expect(one.definition).toContain('"z":1.10');
      expect(job).toMatchObject({ definition_event_uid: one.event, revision: 2 });
      await expect(performWrite(transportOf(w.client), "ann", screen)).rejects.toMatchObject({
        code: "cron_conflict",
        data: { current: { definition_event_uid: one.event } },
      });
      await expect(typed(w, shell)).rejects.toThrow("was changed since");
      expect(await shown(uids[0])).toEqual(one);
    },
  );
});
