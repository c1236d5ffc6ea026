import { expect, test } from "vitest";
import { pty } from "../support/pty.ts";
import { box } from "./box.ts";

interface CreateAnswer {
  readonly issue: { readonly short_id: string; readonly qualified_id: string };
}

test("the fleet screen shows the agents of a daemon, and can message them, release their leases and take over their work", async () => {
  const place = box();
  await place.json("init", "--project", "product");
  const make = async (title: string, ...words: string[]) =>
    (await place.json<CreateAnswer>("create", title, ...words)).issue;
  const held = async (ref: string) =>
    await place.json<{ held: boolean; holder?: { holder: string } }>("lease", "status", ref);
  const [timed, owned, quiet] = [
    await make("Timed by bea"),
    await make("Owned by cyd"),
    await make("Given to zoe", "--owner", "zoe"),
  ];
  await place.json("lease", "acquire", timed.short_id, "--as", "bea", "--ttl", "10m");
  await place.json("assign", owned.short_id, "cyd", "--as", "cyd");
  await place.json("comment", timed.short_id, "--body", "half way", "--as", "bea");

  const screen = pty(process.execPath, [place.launcher, "tui"], {
    columns: 100,
    cwd: place.work,
    env: place.env,
  });
  const lineOf = (name: string): string =>
    screen.screen().find((line) => line.slice(3).startsWith(`${name} `)) ?? "";
  await screen.shows("live");
  screen.type("6");
  await screen.shows("3 holders of 3 issues");
  expect(lineOf("bea")).toMatch(/(10|9)m .*commented .*Timed by bea/);
  expect(lineOf("cyd")).toMatch(/ - .*assigned .*Owned by cyd/);
  expect(lineOf("zoe")).toMatch(/never .*Given to zoe/);

  const late = await make("Leased by dan");
  await place.json("lease", "acquire", late.short_id, "--as", "dan");
  await screen.shows("4 holders of 4 issues");
  expect(lineOf("dan")).toMatch(/held .*lease acquired .*Leased by dan/);

  screen.type("/bea\r");
  await screen.hides("zoe  ");
  screen.type("m");
  await screen.shows(`message to bea about ${timed.qualified_id}`);
  screen.type("still at it?\r");
  await screen.shows(`asked bea about ${timed.qualified_id}`);
  const { requests } = await place.json<{ requests: { from: string; message: string }[] }>(
    "inbox",
    "--for",
    "bea",
  );
  expect(requests).toMatchObject([{ from: "ann", message: "still at it?" }]);

  screen.type("R");
  await screen.shows(`type ${timed.qualified_id} to go on`);
  screen.type(`${timed.qualified_id}\r`);
  await screen.shows(`released the lease of ${timed.qualified_id}`);
  await screen.shows("c clears the filter");
  expect(await held(timed.short_id)).toMatchObject({ held: false });

  screen.type("c/dan\r");
  await screen.shows("Leased by dan");
  screen.type("S");
  await screen.shows(`type ${late.qualified_id} to go on`);
  screen.type(`${late.qualified_id}\r`);
  await screen.shows(`took the lease of ${late.qualified_id} over`);
  expect(await held(late.short_id)).toMatchObject({ held: true, holder: { holder: "ann" } });
  screen.type("c");
  await screen.shows("Given to zoe");
  expect(lineOf("ann")).toMatch(/held .*Leased by dan/);

  screen.type("/zoe\rS");
  await screen.shows(`type ${quiet.qualified_id} to go on`);
  screen.type(`${quiet.qualified_id}\r`);
  await screen.shows(`took the lease of ${quiet.qualified_id} over`);
  expect(await held(quiet.short_id)).toMatchObject({ held: true, holder: { holder: "ann" } });
}, 60_000);
