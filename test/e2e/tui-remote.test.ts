import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type Box, box } from "./box.ts";
import { tui } from "./tui-screen.ts";

const BOOTSTRAP = "svc_bootstrap-of-the-team";
const TEAM_FLAGS = ["--daemon", "team", "--project", "product"];
const WIDE = { columns: 150 };

interface Status {
  readonly daemons: readonly { readonly address: string }[];
}

interface CreateAnswer {
  readonly issue: { readonly short_id: string };
}

interface Created {
  readonly plaintext: string;
}

function configured(place: Box, text: string): void {
  mkdirSync(place.home, { mode: 0o700, recursive: true });
  writeFileSync(join(place.home, "config.toml"), text, { mode: 0o600 });
}

/** Makes a daemon on TCP in the mode `identity`, a token of ann, and a home of ann that knows the daemon as `team`. */
async function team(): Promise<{ readonly host: Box; readonly ann: Box; readonly url: string }> {
  const host = box({ SVC_AUTH_TOKEN: BOOTSTRAP });
  configured(host, "[auth]\nrequire_token_identity = true\n");
  expect(await host.svc("daemon", "start", "--listen", "127.0.0.1:0")).toMatchObject({ code: 0 });
  const { daemons } = await host.json<Status>("daemon", "status");
  const url = `http://${daemons[0]?.address}`;
  const { plaintext } = await host.json<Created>("tokens", "create", "--actor", "ann");
  const ann = box();
  const entry = (name: string, token: string): string =>
    `[[daemon]]\nname = "${name}"\nurl = "${url}"\ntoken = "${token}"\n`;
  configured(ann, entry("team", plaintext) + entry("office", BOOTSTRAP));
  const words = ["projects", "create", "product", "--daemon", "team"];
  expect(await ann.svc(...words)).toMatchObject({ code: 0 });
  return { host, ann, url };
}

test("the screen works at a remote daemon with a person's token", async () => {
  const { host, ann, url } = await team();
  const screen = tui(ann, TEAM_FLAGS, WIDE);
  await screen.shows("ann  live");
  screen.type("n");
  await screen.shows("-- new issue");
  screen.type("Made on the screen\u0013");
  await screen.shows("created product#");
  const { issues } = await host.json<{ issues: readonly { author: string }[] }>(
    "list",
    "--project",
    "product",
  );
  expect(issues).toMatchObject([{ title: "Made on the screen", author: "ann" }]);
  const words = ["create", "Made elsewhere", ...TEAM_FLAGS];
  expect(await ann.svc(...words)).toMatchObject({ code: 0 });
  await screen.shows("Made elsewhere");

  screen.type("D");
  await screen.shows("-- daemons");
  expect(screen.screen()).toContainEqual(
    expect.stringMatching(new RegExp(`^> +team +${url} +token +current *$`)),
  );
  screen.type("j\r");
  await screen.shows("read-only");
  screen.type("D");
  await screen.shows("current, read-only");
  expect(screen.written()).not.toContain(BOOTSTRAP);
}, 90_000);

test("revoking the token ends the work on the screen, and a new start needs another token", async () => {
  const { host, ann } = await team();
  const screen = tui(ann, TEAM_FLAGS, WIDE);
  await screen.shows("ann  live");
  screen.type("n");
  await screen.shows("-- new issue");
  screen.type("A draft of mine");
  await screen.shows("A draft of mine");
  expect(await host.svc("tokens", "revoke", "1")).toMatchObject({ code: 0 });
  await screen.shows("refused");
  screen.type("\u0013");
  await screen.shows("the token is unknown or was revoked");
  await screen.shows("A draft of mine");
  screen.type("\u001B\u001B");
  await screen.hides("-- new issue");
  await screen.shows("svc tokens create --actor");
  screen.type("\u0012");
  await screen.shows("refused");
  const again = tui(ann, TEAM_FLAGS, WIDE);
  expect(await again.ended).toBe(1);
  expect(again.screen().join("\n")).toContain("the token is unknown or was revoked");
}, 90_000);

test("commands that follow or wait end when their token is revoked, and name the remedy", async () => {
  const { host, ann } = await team();
  const started = (...words: string[]) => {
    const child = ann.start(...words, ...TEAM_FLAGS);
    const said: string[] = [];
    child.stderr?.setEncoding("utf8").on("data", (text: string) => said.push(text));
    const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
    return { child, said, ended };
  };
  const { issue } = await ann.json<CreateAnswer>("create", "a plan", ...TEAM_FLAGS);
  const tail = started("events", "--tail");
  const first = new Promise((resolve) => tail.child.stdout?.once("data", resolve));
  const waiting = [
    started("inbox", "--for", "worker", "--wait"),
    started("inbox", "--for", "worker", "--take", "worker/w1", "--wait", "--json"),
    started("wait", issue.short_id),
  ];
  await first;
  expect(await host.svc("tokens", "revoke", "1")).toMatchObject({ code: 0 });
  for (const { ended, said } of [tail, ...waiting]) {
    expect(await ended).toBe(1);
    expect(said.join("")).toContain("the token is unknown or was revoked");
    expect(said.join("")).toContain("svc tokens create --actor <name>");
  }
  expect(tail.said.join("")).not.toContain("the daemon is gone");
}, 90_000);
