import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { testDaemon } from "../support/daemon.ts";
import { SPOKE } from "../support/federated.ts";
import { cliWorld, projectWorld } from "./harness.ts";

const ENROLL = ["federation", "enroll", "--spoke-instance", SPOKE, "--actor", "sam"];
const JOIN =
  "on the other machine, paste the token when it is asked for:\n  svc federation join --hub-url '?\"?<url of this hub>'?\"? --hub-project-id \\d+ --actor sam --capabilities pull";
const LEAVES =
  "Daemons that are enrolled read all that the project holds now, and what follows. What they have read cannot be called back.";

/** Enrolls at the daemon of the world, which has a socket only, so nobody elsewhere could use the enrollment. */
async function enrolled(w: Pick<CliWorld, "run">, ...flags: readonly string[]): Promise<string> {
  const { out, err, code } = await w.run([...ENROLL, "web", ...flags]);
  expect([code, err]).toEqual([0, expect.stringMatching(ONLY_SOCKET)]);
  return out;
}

type CliWorld = Awaited<ReturnType<typeof cliWorld>>;
const ONLY_SOCKET =
  /^warning: this hub listens on a socket only, [^\n]+ listen [^\n]+ svc daemon restart\n$/;

test("svc federation identity prints only the uid of the database", async () => {
  const w = await projectWorld();
  const uid = (await w.ok(["federation", "identity"])).trim();
  expect(uid).toMatch(/^[0-9A-Z]{26}$/);
  expect(await w.ok(["federation", "identity", "--agent"])).toBe(
    `OK federation_identity instance_uid=${uid}\n`,
  );
  expect(JSON.parse(await w.ok(["federation", "identity", "--json"]))).toMatchObject({
    instance_uid: uid,
  });
});

test("svc federation enable warns that other daemons will read the project, and status lists the project afterwards", async () => {
  const w = await projectWorld();
  await w.ok(["create", "an issue"]);
  expect(await w.ok(["federation", "status"])).toBe("no federation bindings\n");
  const enabled = await w.ok(["federation", "enable"]);
  expect(enabled).toMatch(/^this daemon is the hub of \w+: its baseline has 2 events\n/);
  expect(enabled).toContain(LEAVES);
  expect(await w.ok(["federation", "enable"])).toBe(enabled);
  expect(await w.ok(["federation", "status"])).toMatch(/^\w+ {2}hub, enabled, 0 enrollments\n$/);
  expect(await w.ok(["federation", "status", "--agent"])).toMatch(
    /^OK federation_status count=1\n- project=\w+ role=hub enabled=true horizon=\d+ enrollments=0 leases=0\n$/,
  );
  expect((await w.run(["federation", "enable", "nothing"])).code).not.toBe(0);
});

test("svc federation enroll enables the project, and prints the token once, and the join command without it", async () => {
  const w = await projectWorld();
  const said = await enrolled(w, "--capabilities", "pull");
  expect(said).toMatch(
    new RegExp(
      `^enrollment 1 of ${SPOKE} as sam, project \\d+: pull\ntoken=svc_fed_[\\w-]{43}\n${JOIN}\n$`,
    ),
  );
  expect(await enrolled(w, "-q")).toMatch(/^svc_fed_[\w-]{43}\n$/);
  const agent = await enrolled(w, "--agent");
  expect(agent).toMatch(/^OK federation_enrolled id=3 .*capabilities=pull,push,lease /);
  for (const form of ["--json", "--agent", "-q", "--format=human"])
    expect(await w.ok(["federation", "enrollments", "list", form])).not.toMatch(
      /svc_fed_|[0-9a-f]{64}/,
    );
  const refused = await w.run([...ENROLL, "web", "--capabilities", "admin"]);
  expect([refused.code, refused.err]).toEqual([3, expect.stringContaining("capabilities")]);
});

test("an enrollment that permits handing over a project says so, and its join command has --adopt-existing", async () => {
  const w = await projectWorld();
  const said = await enrolled(w, "--adopt-existing");
  expect(said).toMatch(/^enrollment 1 of .*: pull, push, lease, adopt-existing$/m);
  const line = /svc federation join .* --capabilities pull,push,lease --push --adopt-existing$/m;
  expect(said).toMatch(line);
  const list = ["federation", "enrollments", "list"];
  expect(await w.ok(list)).toMatch(/ sam +pull,push,lease,adopt-existing +20/);
  expect(await w.ok([...list, "--agent"])).toContain(" capabilities=pull,push,lease adopts=true ");
  expect(await w.ok(["federation", "enrollments", "rotate", "1"])).toMatch(line);
  expect(await enrolled(w)).not.toContain("adopt-existing");
});

test("an enrollment is listed with its last use, and revoked by its id", async () => {
  const w = await projectWorld();
  const list = ["federation", "enrollments", "list"];
  expect(await w.ok(list)).toBe("No enrollments. svc federation enroll makes one.\n");
  await enrolled(w, "--capabilities", "pull");
  expect(await w.ok(["federation", "revoke", "1"])).toBe("enrollment 1 is revoked\n");
  expect(await w.ok(["federation", "revoke", "1", "--agent"])).toBe(
    "OK enrollment_revoked id=1 revoked=true\n",
  );
  const [headings, row] = (await w.ok(list)).split("\n");
  expect(headings).toMatch(/^ID +INSTANCE +PROJECT +ACTOR +MAY +CREATED +LAST USED +REVOKED$/);
  expect(row).toMatch(new RegExp(`^ 1 +${SPOKE} +\\d+ +sam +pull +20.*Z +- +20.*Z$`));
  expect((await w.run(["federation", "revoke", "9"])).err).toContain("no such enrollment");
  const typed = await w.run(["federation", "revoke", "svc_fed_secret"]);
  expect(typed.code).toBe(3);
  expect(typed.err).not.toContain("svc_fed_secret");
});

test("an enrollment is rotated by its id: the new token is printed once, and the old enrollment ends", async () => {
  const w = await projectWorld();
  const rotate = ["federation", "enrollments", "rotate"];
  const first = await enrolled(w, "-q");
  const said = await w.ok([...rotate, "1"]);
  const token = /^token=(\S+)$/m.exec(said)?.[1] ?? "";
  expect(token).toMatch(/^svc_fed_[\w-]{43}$/);
  expect(token).not.toBe(first.trim());
  expect(said).toMatch(
    new RegExp(`^enrollment 2 of ${SPOKE} as sam, project \\d+: pull, push, lease`),
  );
  expect(said).toMatch(/svc federation join .* --capabilities pull,push,lease --push$/m);
  const listed = JSON.parse(await w.ok(["federation", "enrollments", "list", "--json"]));
  expect(listed.enrollments.map((one: object) => "revoked_at" in one)).toEqual([true, false]);
  expect(await w.ok([...rotate, "2", "-q"])).toMatch(/^svc_fed_[\w-]{43}\n$/);
  expect((await w.run([...rotate, "1"])).err).toContain("enrollment 1 is revoked");
  expect((await w.run([...rotate, "9"])).err).toContain("no such enrollment");
  const typed = await w.run([...rotate, "svc_fed_secret"]);
  expect([typed.code, typed.err]).toEqual([3, expect.not.stringContaining("svc_fed_secret")]);
});

test("svc federation enroll needs the URL of a remote hub, and a variable with the hub's token", async () => {
  const w = await cliWorld();
  const alone = await w.run([...ENROLL, "web", "--hub-token-env", "HUB_TOKEN"]);
  expect([alone.code, alone.err]).toEqual([2, expect.stringContaining("belongs to --hub-url")]);
  const at = ["--hub-url", "https://hub.example", "--hub-token-env", "HUB_TOKEN"];
  const missing = await w.run([...ENROLL, "web", ...at]);
  expect([missing.code, missing.err]).toEqual([2, expect.stringContaining("HUB_TOKEN is not set")]);
  const both = await w.run([...ENROLL, "web", "--hub-url", "https://hub.example", "--daemon", "x"]);
  expect([both.code, both.err]).toEqual([2, expect.stringContaining("--hub-url and --daemon")]);
  const untold = await w.run([...ENROLL, "web", "--hub-url", "https://hub.example"]);
  expect([untold.code, untold.err]).toEqual([2, expect.stringContaining("needs --hub-token-env")]);
  const plain = await w.run(
    [...ENROLL, "web", "--hub-url", "http://hub.example", "--hub-token-env", "HUB_TOKEN"],
    { env: { HUB_TOKEN: "secret-0123456789" } },
  );
  expect(plain.code).not.toBe(0);
  expect(plain.err).not.toContain("secret-0123456789");
  const unnamed = await w.run(ENROLL);
  expect([unnamed.code, unnamed.err]).toEqual([2, expect.stringContaining("name the project")]);
});

test("svc federation enroll prints no warning if the hub also listens on TCP", async () => {
  const w = await projectWorld();
  await w.restart({
    listen: [{ path: join(w.home, "own.sock") }, { host: "127.0.0.1", port: 0 }],
  });
  expect(await w.ok([...ENROLL, "web"])).toContain("token=svc_fed_");
});

test("if the hub's answer is lost, the request for an enrollment is repeated, and only one enrollment is made", async () => {
  const token = "hub-secret-0123456789";
  const hub = await testDaemon({
    listen: { host: "127.0.0.1", port: 0 },
    authentication: { mode: "static", token },
  });
  const proxy = await losingProxy(hub.endpoint.address, "/federation/enrollments");
  const w = await projectWorld();
  const env = { HUB_TOKEN: token };
  const at = ["--hub-url", proxy.url, "--hub-token-env", "HUB_TOKEN"];
  const made = JSON.parse(await w.ok([...ENROLL, "web", ...at, "--json"], { env }));
  expect(proxy.lost()).toBe(1);
  expect(made).toMatchObject({ id: 1, actor: "sam", token: expect.stringMatching(/^svc_fed_/) });

  const hubEnv = { SVC_SERVER: proxy.url, SVC_AUTH_TOKEN: token };
  const listed = await w.ok(["federation", "enrollments", "list", "-q"], { env: hubEnv });
  expect(listed).toBe("1\n");
  expect(await w.ok(["federation", "status"])).toBe("no federation bindings\n");
});

/** Passes everything on, but closes the connection in place of the first answer to a POST of the path. */
async function losingProxy(address: string, path: string) {
  let lost = 0;
  const server = createServer((asked, answer) => {
    const { url = "", method = "", headers } = asked;
    const onward = request(`http://${address}${url}`, { method, headers }, (answered) => {
      if (lost === 0 && method === "POST" && url.endsWith(path)) {
        lost += 1;
        answered.resume().once("end", () => asked.socket.destroy());
        return;
      }
      answer.writeHead(answered.statusCode ?? 500, answered.headers);
      answered.pipe(answer);
    });
    asked.pipe(onward);
  });
  onTestFinished(() => server.closeAllConnections());
  onTestFinished(() => void server.close());
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, lost: () => lost };
}
