import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { systemClock } from "../../src/base/clock.ts";
import { testDaemon } from "../support/daemon.ts";
import { cliWorld } from "./harness.ts";

const HUB_TOKEN = "hub-secret-0123456789";

/** A hub with the project `shared` and an issue, and a machine that may copy it. */
async function twoMachines(capabilities = "pull") {
  const hub = await testDaemon({
    listen: { host: "127.0.0.1", port: 0 },
    authentication: { mode: "static", token: HUB_TOKEN },
  });
  const w = await cliWorld();
  const url = `http://${hub.endpoint.address}`;
  const onHub = { env: { SVC_SERVER: url, SVC_AUTH_TOKEN: HUB_TOKEN } };
  const env = { HUB: HUB_TOKEN };
  const uid = (await w.ok(["federation", "identity"])).trim();
  const enroll = ["federation", "enroll", "shared", "--spoke-instance", uid, "--actor", "sam"];
  const at = ["--capabilities", capabilities, "--hub-url", url, "--hub-token-env", "HUB"];
  const said = await w.ok([...enroll, ...at], { env });
  const token = /^token=(\S+)$/m.exec(said)?.[1] ?? "";
  const line = /^ {2}svc (federation join .*)$/m.exec(said)?.[1] ?? "";
  const joining = line.split(" ");
  await w.ok(["create", "an issue of the hub", "--project", "shared"], onHub);
  const status = async () => JSON.parse(await w.ok(["federation", "status", "--json"])).statuses[0];
  return { w, url, uid, token, joining, onHub, env, status };
}

test("the command that enroll prints joins the hub with the token from standard input, and no output of status shows the token", async () => {
  const { w, url, token, joining, status } = await twoMachines();
  expect(joining.join(" ")).not.toContain(token);
  const said = await w.ok(joining, { stdin: `${token}\n` });
  expect(said).toMatch(/^shared is a copy of the project \d+ of http:\/\/127\.0\.0\.1:\d+\n/);
  expect(await status()).toMatchObject({
    project_name: "shared",
    role: "spoke",
    hub_url: url,
    bound_actor: "sam",
    capabilities: ["pull"],
    credential_status: "present",
    push_enabled: false,
  });
  for (const form of ["--json", "--agent", "--format=human"])
    expect(await w.ok(["federation", "status", form])).not.toContain(token);
  const refused = await w.refused(["create", "mine", "--project", "shared"]);
  expect(refused.err).toContain("only reads it");
});

test("the command for an enrollment with push makes a copy that can be changed; without --push, a warning names the flag", async () => {
  const { w, token, joining, status } = await twoMachines("pull,push");
  expect(joining.at(-1)).toBe("--push");
  const env = { T: token };
  const read = await w.run([...joining.slice(0, -1), "--token-env", "T"], { env });
  expect([read.code, read.err]).toEqual([0, expect.stringContaining("with --push")]);
  expect((await w.refused(["create", "mine", "--project", "shared"])).code).not.toBe(0);
  const said = await w.run([...joining, "--token-env", "T"], { env });
  expect([said.code, said.err]).toEqual([0, ""]);
  expect(said.out).toContain("Changes made here are sent to the hub in the name of sam.");
  await w.ok(["create", "mine", "--project", "shared"]);
  expect(await status()).toMatchObject({ push_enabled: true });
  expect(await w.ok(["federation", "status"])).toMatch(/change not sent yet|all changes sent/);
});

test("a project is handed over only if the enrollment permits it; otherwise it stays, and the error names the command", async () => {
  const { w, url, uid, token, joining, env, status } = await twoMachines("pull,push");
  await w.ok(["projects", "create", "shared", "-q"]);
  await w.ok(["create", "mine", "--project", "shared"]);
  const stdin = `${token}\n`;
  const namesake = await w.refused(joining, { stdin });
  expect(namesake.err).toContain("--adopt-existing");
  const refused = await w.refused([...joining, "--adopt-existing"], { stdin });
  expect(refused.err).toContain("does not permit to hand a project over, so nothing was changed");
  expect(refused.err).toContain("svc federation enroll --adopt-existing");
  expect(await status()).toBeUndefined();
  expect(await w.ok(["list", "--project", "shared"])).toContain("mine");
  const enroll = ["federation", "enroll", "shared", "--spoke-instance", uid, "--actor", "sam"];
  const at = ["--adopt-existing", "--hub-url", url, "--hub-token-env", "HUB"];
  const said = await w.ok([...enroll, ...at], { env });
  const line = /^ {2}svc (federation join .*)$/m.exec(said)?.[1] ?? "";
  const permitted = /^token=(\S+)$/m.exec(said)?.[1] ?? "";
  await w.ok(line.split(" "), { stdin: `${permitted}\n` });
  expect(await status()).toMatchObject({ project_name: "shared", push_enabled: true });
});

test("svc federation enroll names the variable whose token a remote hub does not accept", async () => {
  const { w, url, uid } = await twoMachines();
  const enroll = ["federation", "enroll", "shared", "--spoke-instance", uid, "--actor", "sam"];
  const env = { T: "wrong-0123456" };
  const at = ["--hub-url", url, "--hub-token-env", "T"];
  const refused = await w.refused([...enroll, ...at], { env });
  expect(refused.err).toContain("the hub refuses: it does not accept the token (auth_invalid)");
  expect(refused.err).toContain("hint: the variable T must have a token of the hub");
  expect(refused.err).not.toContain("SVC_AUTH_TOKEN");
});

test("svc federation join and enroll refuse an address that may not be called in their own name, and name the flag that permits it", async () => {
  const { w, url, uid, token, env } = await twoMachines();
  const enroll = ["federation", "enroll", "shared", "--spoke-instance", uid, "--actor", "sam"];
  for (const [address, said] of [
    [url.slice("http://".length), "svc: --hub-url is not an http or https URL"],
    ["http://hub.example", "svc: plain http to http://hub.example (--hub-url) is refused"],
  ] as const) {
    const at = ["--hub-url", address];
    const refused = [
      await w.refused([...enroll, ...at, "--hub-token-env", "HUB"], { env }),
      await w.refused(["federation", "join", ...at, "--hub-project-id", "1"], { stdin: token }),
    ];
    for (const { err } of refused) {
      expect(err).toContain(said);
      expect(err).not.toContain("the hub refuses");
      if (address.startsWith("http:")) expect(err).toContain("or --allow-insecure");
    }
  }
});

test("svc federation join takes the token from a variable or a file too, but never from an argument", async () => {
  const { w, token, joining } = await twoMachines();
  const missing = await w.refused([...joining, "--token-env", "NONE"]);
  expect([missing.code, missing.err]).toEqual([2, expect.stringContaining("NONE is not set")]);
  const both = await w.refused([...joining, "--token-env", "A", "--token-file", "b"]);
  expect(both.code).toBe(2);
  expect((await w.refused([...joining, "--token", token])).code).toBe(2);
  expect((await w.refused(joining, { stdin: "\n" })).err).toContain("is missing");
  const wrong = await w.refused([...joining, "--token-env", "T"], {
    env: { T: "svc_fed_wrong-0123456789" },
  });
  expect(wrong.err).not.toContain("svc_fed_wrong");
  writeFileSync(join(w.home, "token"), `${token}\n`, { mode: 0o600 });
  const joined = await w.ok([...joining, "--token-file", join(w.home, "token"), "--agent"]);
  expect(joined).toMatch(/^OK federation_joined project=shared /);
  expect(await w.ok([...joining, "--token-env", "T", "-q"], { env: { T: token } })).toBe("");
});

test("svc federation leave revokes the enrollment on the hub, deletes the token, and makes the project editable", async () => {
  const { w, token, joining, onHub, env, status } = await twoMachines();
  await w.ok(joining, { stdin: `${token}\n` });
  const leave = ["federation", "leave", "shared"];
  const untold = await w.refused(leave);
  expect([untold.code, untold.err]).toEqual([2, expect.stringContaining("--hub-token-env")]);
  expect(await status()).not.toHaveProperty("leaving");
  const said = await w.ok([...leave, "--hub-token-env", "HUB"], { env });
  expect(said).toBe("shared has left its hub, and is an ordinary project\n");
  const enrollments = JSON.parse(
    await w.ok(["federation", "enrollments", "list", "--json"], onHub),
  );
  expect(enrollments.enrollments[0].revoked_at).toBeDefined();
  expect(readFileSync(join(w.home, "credentials.toml"), "utf8")).not.toContain(token);
  await w.ok(["create", "mine", "--project", "shared"]);
  expect(await w.ok([...leave, "--local-only"])).toBe("shared had left its hub before\n");
});

test("svc federation leave uses the token of the [[daemon]] entry with the hub's address, if no flag names a token", async () => {
  const { w, url, token, joining, onHub, env } = await twoMachines();
  await w.ok(joining, { stdin: `${token}\n` });
  const config = `[[daemon]]\nname = "team"\nurl = "${url}"\ntoken_env = "HUB"\n`;
  writeFileSync(join(w.home, "config.toml"), config, { mode: 0o600 });
  const leave = ["federation", "leave", "shared"];
  expect((await w.refused(leave)).err).toContain("HUB");
  expect(await w.ok(leave, { env })).toContain("shared has left its hub");
  const listed = await w.ok(["federation", "enrollments", "list", "--json"], onHub);
  expect(JSON.parse(listed).enrollments[0].revoked_at).toBeDefined();
});

test("svc federation rebind requires a known [[daemon]] entry, and either one project or --all", async () => {
  const { w, token, joining, status } = await twoMachines();
  const before = await status();
  await w.ok(joining, { stdin: `${token}\n` });
  const rebind = ["federation", "rebind"];
  expect((await w.refused([...rebind, "shared"])).code).toBe(2);
  const both = await w.refused([...rebind, "shared", "--all", "--hub", "team"]);
  expect([both.code, both.err]).toEqual([2, expect.stringContaining("a project or --all")]);
  for (const words of [["shared"], ["--all"]]) {
    const unknown = await w.refused([...rebind, ...words, "--hub", "team"]);
    expect(unknown.err).toContain('hub_catalog names no daemon: "team"');
    expect(unknown.err).toContain("svc daemon restart");
    expect(unknown.err).not.toContain(token);
  }
  const all = await w.refused([...rebind, "--all", "--hub", "team"]);
  expect(all.err).toContain("shared was not moved");
  expect(before).toBeUndefined();
});

test("svc federation leave changes nothing if the hub refuses the token, or if --hub names another daemon", async () => {
  const { w, url, token, joining, env, status } = await twoMachines();
  await w.ok(joining, { stdin: `${token}\n` });
  const leave = ["federation", "leave", "shared"];
  const wrong = await w.refused([...leave, "--hub-token-env", "T"], {
    env: { T: "wrong-0123456" },
  });
  expect(wrong.err).not.toContain("wrong-0123456");
  expect(wrong.err).toContain("the hub refuses: it does not accept the token (auth_invalid)");
  expect(wrong.err).toContain("hint: the variable T must have a token of the hub");
  expect(await status()).not.toHaveProperty("leaving");
  const other = await testDaemon({ listen: { host: "127.0.0.1", port: 0 } });
  const entry = (name: string, at: string): string =>
    `[[daemon]]\nname = "${name}"\nurl = "${at}"\ntoken_env = "HUB"\n`;
  const elsewhere = `http://${other.endpoint.address}`;
  writeFileSync(join(w.home, "config.toml"), `${entry("other", elsewhere)}${entry("hub", url)}`, {
    mode: 0o600,
  });
  const refused = await w.refused([...leave, "--hub", "other"], { env });
  expect(refused.err).toContain(`--hub names ${elsewhere}, and the hub is ${url}`);
  expect(await status()).not.toHaveProperty("leaving");
  expect(await w.ok([...leave, "--hub", "hub"], { env })).toContain("shared has left its hub");
});

test("if the URL of a hub leads to no daemon, the error says who named the URL, and nothing is changed", async () => {
  const { w, url, token, joining, status } = await twoMachines();
  const at = `${url}/tracker`;
  const withPath = joining.map((word) => (word === url ? at : word));
  const refused = await w.refused(withPath, { stdin: `${token}\n` });
  expect(refused.err).toContain(`server not responding: ${at} (--hub-url)`);
  expect(await status()).toBeUndefined();
  const uid = "01J0000000000000000000HXB1";
  const known = ["--hub-project-uid", uid, "--replay-horizon", "1", "--project", "shared"];
  await w.ok([...withPath, ...known], { stdin: `${token}\n` });
  const leave = ["federation", "leave", "shared"];
  const stays = await w.refused([...leave, "--hub-token-env", "HUB"], { env: { HUB: HUB_TOKEN } });
  expect(stays.err).toContain(`server not responding: ${at} (the hub of the project)`);
  expect(await status()).not.toHaveProperty("leaving");
  expect((await w.run([...leave, "--local-only"])).code).toBe(0);
});

test("svc federation join is refused if it names another project or actor, or more rights than the enrollment has", async () => {
  const { w, token, joining, status } = await twoMachines();
  const stdin = `${token}\n`;
  const with_ = (flag: string, value: string): string[] => {
    const words = [...joining];
    words[words.indexOf(flag) + 1] = value;
    return words;
  };
  const actor = await w.refused(with_("--actor", "tom"), { stdin });
  expect(actor.err).toContain("--actor tom: the enrollment is for sam");
  const other = await w.refused([...joining, "--project", "other"], { stdin });
  expect(other.err).toContain("--project other: the project is shared on the hub");
  const wider = await w.refused(with_("--capabilities", "pull,push,lease"), { stdin });
  expect(wider.err).toContain("the enrollment has pull, and not push,lease");
  expect(await status()).toBeUndefined();
  const place = joining.slice(0, joining.indexOf("--actor"));
  await w.ok([...place, "--project", "shared"], { stdin });
  expect(await status()).toMatchObject({ bound_actor: "sam", capabilities: ["pull"] });
});

test("no error shows a token, wherever it was typed, and errors of the hub name the hub", async () => {
  const { w, token, joining, url } = await twoMachines();
  for (const words of [
    [...joining, token],
    [...joining, `--token=${token}`],
    [...joining, "--token", token],
    ["federation", "leave", token],
    ["federation", "join", "--hub-url", token, "--hub-project-id", "1"],
    ["federation", "join", "--hub-url", url, "--hub-project-id", token],
  ])
    for (const form of ["--format=human", "--json", "--agent"]) {
      const refused = await w.refused([...words, form], { stdin: "x" });
      expect(refused.err).not.toContain(token.slice(10));
    }
  const elsewhere = joining.map((word) => (word === url ? "http://127.0.0.1:9" : word));
  const gone = await w.refused(elsewhere, { stdin: `${token}\n` });
  expect(gone.err).toContain("(--hub-url)");
  expect(gone.err).not.toContain("SVC_SERVER");
  const wrong = await w.refused(joining, { stdin: "svc_fed_0123456789-0123456789-wrong\n" });
  expect(wrong.err).toContain("the hub refuses: ");
  expect(wrong.err).toContain("svc federation enrollments list");
});

test("a token that is typed at a terminal is read without being shown", async () => {
  const { w, token, joining, status } = await twoMachines();
  const joined = await w.run(joining, { typed: token });
  expect([joined.code, joined.err]).toEqual([0, expect.stringContaining("it is not shown")]);
  expect(`${joined.out}${joined.err}`).not.toContain(token);
  expect(await status()).toMatchObject({ credential_status: "present" });
});

test("the token of an enrollment for another daemon is refused", async () => {
  const { w, url, joining, env, status } = await twoMachines();
  const other = "01J0000000000000000000TTER";
  const enroll = ["federation", "enroll", "shared", "--spoke-instance", other, "--actor", "sam"];
  const at = ["--capabilities", "pull", "--hub-url", url, "--hub-token-env", "HUB"];
  const made = JSON.parse(await w.ok([...enroll, ...at, "--json"], { env })) as { token: string };
  const refused = await w.refused(joining, { stdin: `${made.token}\n` });
  expect(refused.err).toContain("the hub refuses: the token of the enrollment does not permit");
  expect(await status()).toBeUndefined();
});

test("svc federation leave --local-only says what stays on the hub, and --delete archives the project", async () => {
  const { w, token, joining, onHub } = await twoMachines();
  await w.ok(joining, { stdin: `${token}\n` });
  const left = await w.run([
    "federation",
    "leave",
    "shared",
    "--local-only",
    "--delete",
    "--force",
  ]);
  expect([left.code, left.out]).toEqual([
    0,
    "shared has left its hub, and is an ordinary project. It is archived.\n",
  ]);
  expect(left.err).toContain("svc federation revoke");
  const enrollments = JSON.parse(
    await w.ok(["federation", "enrollments", "list", "--json"], onHub),
  );
  expect(enrollments.enrollments[0]).not.toHaveProperty("revoked_at");
  expect((await w.refused(["federation", "leave", "shared", "--force"])).code).toBe(2);
});

test("a copy shows the issues that its hub has, and those that the hub gets later", async () => {
  const { w, token, joining, onHub } = await twoMachines();
  // The daemon of this world has a clock that stands still, so its engine would not wake.
  await w.restart({ clock: systemClock });
  await w.ok(joining, { stdin: `${token}\n` });
  await expect
    .poll(async () => (await w.run(["list", "--project", "shared"])).out, { timeout: 15_000 })
    .toContain("an issue of the hub");
  await w.ok(["create", "a second one", "--project", "shared"], onHub);
  await w.ok(joining, { stdin: `${token}\n` });
  await expect
    .poll(async () => (await w.run(["list", "--project", "shared"])).out, { timeout: 15_000 })
    .toContain("a second one");
});

test("svc federation verify calls a copy unknown until it has been read, and compares no other project", async () => {
  const { w, token, joining, onHub } = await twoMachines();
  await w.ok(joining, { stdin: `${token}\n` });
  const verify = ["federation", "verify", "shared"];
  expect(await w.ok([...verify, "--rows"])).toBe(
    "shared: unknown whether it has what its hub has: the copy has not been read yet\n",
  );
  expect(await w.ok([...verify, "-q"])).toBe("");
  expect(await w.ok([...verify, "--agent"])).toContain(" reason=not_read_yet ");
  expect(await w.ok(["federation", "status", "--agent"])).toContain(" compared=unknown ");
  expect((await w.refused(verify, onHub)).err).toContain("nothing to compare");
});
