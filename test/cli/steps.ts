import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { projectWorld } from "./harness.ts";

const WONTFIX = [
  "--wontfix",
  "-m",
  "nobody needs it any more, since the old format is gone for good",
];

export async function stories() {
  const w = await projectWorld();
  await w.ok(["projects", "create", "shop", "-q"]);
  const a = await w.issue("crash on an empty file");
  const b = await w.issue("parser", "--blocked-by", a);
  const there = await w.issue("till", "--project", "shop");
  await w.ok(["edit", a, "--related", `shop#${there}`]);
  const spare = async (...flags: string[]) => await w.issue("spare", ...flags);
  return { ...w, a, b, there, spare };
}

type Story = Awaited<ReturnType<typeof stories>>;
/** A command line and the refs that it prints; `null` if only the form of the refs is known. */
type Step = readonly [words: readonly string[], refs: readonly string[] | null];

/** One line for each command whose answer names issues. */
export const STEPS: Readonly<Record<string, (w: Story) => Promise<Step> | Step>> = {
  assign: ({ b }) => [["assign", b, "bea"], [b]],
  unassign: ({ b }) => [["unassign", b], [b]],
  "audit:closes": async (w) => {
    const id = await w.spare();
    await w.ok(["close", id, ...WONTFIX]);
    return [["audit", "closes"], [`web#${id}`]];
  },
  claim: ({ a }) => [["claim", a], [a]],
  close: async (w) => {
    const id = await w.spare();
    return [["close", id, ...WONTFIX], [id]];
  },
  done: async (w) => {
    const id = await w.spare();
    return [
      ["done", id, "--commit", "1f2e3d4", "-m", "The parser keeps the last line of a file."],
      [id],
    ];
  },
  reopen: ({ b }) => [["reopen", b], [b]],
  block: ({ a, b }) => [["block", a, b], [a]],
  unblock: ({ a, b }) => [["unblock", a, b], [a]],
  link: ({ a, b }) => [["link", a, "related", b], [a]],
  "dep:add": ({ a, b }) => [["dep", "add", b, a], [b]],
  "dep:rm": ({ a, b }) => [["dep", "rm", b, a], [b]],
  comment: ({ a }) => [["comment", a, "-m", "one"], [a]],
  "comment:edit": async (w) => {
    await w.ok(["comment", w.a, "-m", "two"]);
    const { comments } = JSON.parse(await w.ok(["show", w.a, "--json"]));
    return [["comment", "edit", w.a, comments[0].uid, "-m", "three"], [w.a]];
  },
  create: () => [["create", "another"], null],
  edit: ({ a }) => [["edit", a, "--priority", "0"], [a]],
  schedule: ({ b }) => [["schedule", b, "2030-01-01"], [b]],
  deadline: ({ b }) => [["deadline", b, "2030-01-01"], [b]],
  "meta:set": ({ a }) => [["meta", "set", a, "area", "cli"], [a]],
  "meta:unset": ({ a }) => [["meta", "unset", a, "area"], [a]],
  "label:add": ({ a }) => [["label", "add", a, "bug"], [a]],
  "label:rm": ({ a }) => [["label", "rm", a, "bug"], [a]],
  notify: ({ a }) => [["notify", a, "--to", "bea", "--message", "look"], [a]],
  inbox: async (w) => {
    await w.ok(["notify", w.b, "--to", "bea", "--message", "look"]);
    return [["inbox", "--for", "bea"], [w.b]];
  },
  "lease:acquire": ({ b }) => [["lease", "acquire", b], [b]],
  "lease:renew": async (w) => {
    await w.ok(["lease", "acquire", w.b, "--ttl", "5m"]);
    return [["lease", "renew", w.b, "--ttl", "1h"], [w.b]];
  },
  "lease:status": ({ a }) => [["lease", "status", a], [a]],
  "lease:release": async (w) => {
    await w.ok(["lease", "acquire", w.b]);
    return [["lease", "release", w.b], [w.b]];
  },
  "lease:steal": async (w) => {
    await w.ok(["lease", "acquire", w.b, "--as", "cyd"]);
    return [["lease", "steal", w.b, "--as", "bea", "--ttl", "60s"], [w.b]];
  },
  "lease:force-release": async (w) => {
    await w.ok(["lease", "acquire", w.b, "--as", "cyd"]);
    return [["lease", "force-release", w.b, "--as", "bea", "--reason", "gone"], [w.b]];
  },
  list: ({ a, b }) => [["list"], [b, a]],
  ready: ({ a }) => [["ready"], [a]],
  next: ({ a }) => [["next"], [a]],
  search: ({ a }) => [["search", "empty file"], [a]],
  show: ({ there }) => [["show", `shop#${there}`], [`shop#${there}`]],
  log: ({ a }) => [["log", a], [a]],
  events: ({ a, b }) => [["events"], [a, b]],
  why: ({ a, b }) => [
    ["why", b],
    [b, a],
  ],
  graph: ({ a, b, there }) => [
    ["graph", a],
    [a, b, `shop#${there}`],
  ],
  holders: async (w) => {
    await w.ok(["claim", w.a]);
    return [["holders"], [w.a]];
  },
  wait: ({ a }) => [["wait", a, "--until", "open"], [a]],
  "plan:apply": (w) => {
    writeFileSync(join(w.work, "p.json"), JSON.stringify([{ name: "x", title: "planned" }]));
    return [["plan", "apply", "p.json"], null];
  },
  undo: async (w) => {
    await w.ok(["label", "add", w.a, "bug", "--as", "bea"]);
    return [
      [
        "undo",
        "--actor",
        "bea",
        "--since",
        "2026-01-01T00:00:00Z",
        "--until",
        "2026-01-01T01:00:00Z",
        "--yes",
      ],
      [`web#${w.a}`],
    ];
  },
  move: async (w) => {
    const id = await w.spare();
    return [["move", id, "shop"], [`shop#${id}`]];
  },
  delete: async (w) => {
    const id = await w.spare();
    return [["delete", id, "--force", "--confirm", `DELETE web#${id}`], [id]];
  },
  restore: async (w) => {
    const id = await w.spare();
    await w.ok(["delete", id, "--force", "--confirm", `DELETE web#${id}`]);
    return [["restore", id], [id]];
  },
  purge: async (w) => {
    const id = await w.spare();
    return [["purge", id, "--force", "--confirm", `PURGE web#${id}`], [id]];
  },
};
