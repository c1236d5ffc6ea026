import { describe, expect, test, vi } from "vitest";
import { stopwatch, systemClock } from "../../src/base/clock.ts";
import { clientOf, type Exchange } from "../../src/connectors/client.ts";
import {
  type GroupKeeper,
  type ProcessDeps,
  type Program,
  runProgram,
} from "../../src/connectors/process.ts";
import { Slots } from "../../src/connectors/slots.ts";
import { ConnectorFault } from "../../src/ops/bridges/far-side.ts";
import { ANSWERS, isRunning, marks, startedOf, untilGone } from "./programs/marks.ts";

function program(args: readonly string[], more: Partial<Program> = {}): Program {
  return {
    ...{ command: process.execPath, args: [ANSWERS, ...args], timeoutMs: 20_000 },
    ...{ env: {}, settings: {}, ...more },
  };
}

async function run(
  args: readonly string[],
  more: Partial<Program> = {},
  { signal = new AbortController().signal, environment = {}, ...deps }: Partial<ProcessDeps> = {},
) {
  const request = Buffer.from('{"protocol":"svc.connector.v1","id":"1"}\n');
  return await runProgram(program(args, more), request, {
    ...{ clock: systemClock, environment, signal },
    ...deps,
  });
}

describe.runIf(process.platform !== "win32")("the program of a connector", () => {
  test("gets HOME, TMPDIR and the mapped variables, an own folder and nothing else", async () => {
    const environment = {
      ...{ HOME: "/home/ann", TMPDIR: "/tmp", PATH: "/bin", SVC_AUTH_TOKEN: "geheim" },
      TRACKER_KEY: "key of the tracker",
    };
    const ran = await run(["environment"], { env: { KEY: "TRACKER_KEY" } }, { environment });
    const text = "stdout" in ran ? Buffer.from(ran.stdout).toString() : "";
    expect(JSON.parse(text)).toMatchObject({
      result: {
        env: { HOME: "/home/ann", TMPDIR: "/tmp", KEY: "key of the tracker" },
        ...{ cwd: "/", request: { id: "1" } },
      },
    });
    expect(Object.keys(JSON.parse(text).result.env)).toHaveLength(3);
  });

  test("is not started if a mapped variable is not set", async () => {
    const path = marks();
    const ran = await run(["sleep-stubbornly", path], { env: { KEY: "UNSET" } });
    expect(ran).toMatchObject({ fault: "process", rule: "process.start" });
    expect(startedOf(path)).toBe(0);
  });

  test.each([
    ["is not there", { command: "/nowhere/connector" }, "process.start"],
    ["is a folder", { command: "/" }, "process.start"],
    ["has a name that no file can have", { command: "/a\0b" }, "process.start"],
  ])("that %s is a fault of the process", async (_, more, rule) => {
    expect(await run([], more)).toMatchObject({ fault: "process", rule });
  });

  test.each([
    ["prints 4 MiB and one byte", ["big", String(4 * 1024 * 1024 + 1)], "protocol", "process.size"],
    ["prints without end", ["big", String(64 * 1024 * 1024)], "protocol", "process.size"],
    ["ends with exit code 3", ["exit"], "process", "process.exit"],
    ["leaves a child that holds its stdout", ["hold-stdout"], "process", "process.stdout"],
  ])("that %s has failed", async (_, args, fault, rule) => {
    expect(await run(args)).toMatchObject({ fault, rule });
  });

  test.each([
    ["prints exactly 4 MiB", ["big", String(4 * 1024 * 1024)]],
    ["floods stderr", ["flood-stderr"]],
    ["closes its stdin before it has read anything", ["close-stdin"]],
  ])("that %s has answered", async (_, args) => {
    expect(await run(args)).toHaveProperty("stdout");
  });

  test("that leaves a child which holds its stderr has answered, also if stderr is kept", async () => {
    expect(await run(["hold-stderr"], {}, { keepsStderr: true })).toHaveProperty("stdout");
  });

  test("is killed with what it started when it ignores SIGTERM until its time is over", async () => {
    const path = marks();
    const elapsed = stopwatch();
    const ran = await run(["sleep-with-child", path], { timeoutMs: 1500 });
    expect(ran).toMatchObject({ fault: "timeout" });
    expect(elapsed()).toBeLessThan(5000);
    expect(startedOf(path)).toBe(2);
    expect(await untilGone(path)).toEqual([]);
  });

  test("that prints half a document and sleeps is out of time", async () => {
    expect(await run(["half"], { timeoutMs: 700 })).toMatchObject({ fault: "timeout" });
  });

  test("that answers and leaves a child has answered, and the child is killed", async () => {
    const path = marks();
    expect(await run(["leave-child", path])).toHaveProperty("stdout");
    expect(await untilGone(path)).toEqual([]);
  });

  test("that forks into a session of its own does not hold up the call", async () => {
    const path = marks();
    const elapsed = stopwatch();
    expect(await run(["leave-group", path])).toMatchObject({ rule: "process.stdout" });
    expect(elapsed()).toBeLessThan(5000);
  });

  test("is killed when the caller gives up, which is no fault of the connector", async () => {
    const path = marks();
    const caller = new AbortController();
    const ran = run(["sleep-with-child", path], {}, { signal: caller.signal });
    while (startedOf(path) < 2) await systemClock.sleep(20);
    caller.abort(new Error("the caller has gone"));
    expect(await ran).toMatchObject({ fault: "cancelled" });
    expect(await untilGone(path)).toEqual([]);
  });

  test("is ended when something of svc fails after its start", async () => {
    const groups: number[] = [];
    const reaper: GroupKeeper = {
      ready: () => undefined,
      add: (group) => {
        groups.push(group);
        throw new Error("no memory");
      },
      remove: () => undefined,
    };
    await expect(run(["sleep-stubbornly"], {}, { reaper })).rejects.toThrow("no memory");
    const [group = 0] = groups;
    for (let tries = 0; tries < 100 && isRunning(-group); tries++) await systemClock.sleep(20);
    expect(isRunning(-group)).toBe(false);
  });

  test("that belongs to another user and goes on after its time is told", async () => {
    let told = 0;
    const forbidden = vi.spyOn(process, "kill").mockImplementation(() => {
      throw Object.assign(new Error("kill EPERM"), { code: "EPERM" });
    });
    const ran = await run(
      ["sleep-stubbornly"],
      { timeoutMs: 100 },
      { left: () => void (told += 1) },
    );
    const group = forbidden.mock.calls[0]?.[0] ?? 0;
    forbidden.mockRestore();
    process.kill(group, "SIGKILL");
    expect(ran).toMatchObject({ fault: "timeout" });
    expect(told).toBe(1);
  });

  test("is not started for a caller that has given up already", async () => {
    const path = marks();
    expect(
      await run(["sleep-stubbornly", path], {}, { signal: AbortSignal.abort() }),
    ).toMatchObject({ fault: "cancelled" });
    expect(startedOf(path)).toBe(0);
  });
});

describe.runIf(process.platform !== "win32")("a call of a connector", () => {
  function client(args: readonly string[], more: Partial<Program> = {}, signal?: AbortSignal) {
    const heard: Exchange[] = [];
    const methods = clientOf(
      { instance: "tracker", program: program(args, more) },
      {
        ...{ clock: systemClock, environment: { KEY: "s3cret/key" }, slots: new Slots() },
        ...{ signal: signal ?? new AbortController().signal },
        heard: (exchange) => heard.push(exchange),
      },
    );
    return { methods, heard };
  }

  async function faultOf(args: readonly string[], more: Partial<Program> = {}) {
    const error: unknown = await client(args, more)
      .methods.describe()
      .catch((cause: unknown) => cause);
    if (!(error instanceof ConnectorFault)) throw error;
    return error;
  }

  test.each([
    ["two documents", ["two"], "answer.document"],
    ["the id of another request", ["other-id"], "answer.id"],
    ["a result without members", ["anything"], "describe.form"],
  ])("breaks the protocol with %s", async (_, args, rule) => {
    const { kind, message, rule: found } = await faultOf(args);
    expect({ kind, message, found }).toEqual({
      ...{ kind: "protocol", message: "external connector protocol failed", found: rule },
    });
  });

  test("hides secrets in the message of an error and in its code, but keeps what svc acts on", async () => {
    const secrets = { env: { TOKEN: "KEY" }, settings: { folder: "/home/ann", at: ["found"] } };
    const message = String.raw`no key s3cret/key or s\u0033cret\/key below /home/ann`;
    const shown = await faultOf(["fail", "root_not_found", message], secrets);
    expect(shown).toMatchObject({
      ...{ kind: "request", message: "external connector request failed", code: "root_not_found" },
      detail: "no key [redacted] or [redacted] below [redacted]",
    });
    expect(await faultOf(["fail", "lost_and_found", "x"], secrets)).toMatchObject({
      ...{ code: "connector_error", detail: "x" },
    });
  });

  test("hides secrets in the names of fields, whose ids and revisions must have no variable", async () => {
    const secrets = { env: { TOKEN: "KEY" }, settings: { board: "SECRET-BOARD" } };
    const field = {
      ...{ id: "due", display_name: "Due (SECRET-BOARD, s3cret/key)", schema_revision: "1" },
      ...{ accepted_kinds: ["date"], nullable: true, writable: true },
    };
    const fieldsWith = async (change: object) => {
      const result = JSON.stringify({ fields: [{ ...field, ...change }] });
      return await client(["result", result], secrets).methods.listFields();
    };
    const hidden = { display_name: "Due ([redacted], [redacted])" };
    expect(await fieldsWith({})).toEqual([{ ...field, ...hidden }]);
    // The settings may say which field of the provider it is.
    const named = { id: "SECRET-BOARD-due" };
    expect(await fieldsWith(named)).toEqual([{ ...field, ...hidden, ...named }]);
    for (const change of [{ id: "s3cret/key" }, { schema_revision: "1-s3cret/key" }])
      await expect(fieldsWith(change)).rejects.toMatchObject({ rule: "fields.secret" });
  });

  test("rejects with the reason of a caller that gave up", async () => {
    const reason = new Error("the caller has gone");
    const caller = new AbortController();
    const { methods } = client(["sleep-stubbornly"], {}, caller.signal);
    const answer = methods.describe();
    caller.abort(reason);
    await expect(answer).rejects.toBe(reason);
  });

  test("sends one line with the protocol, an id, the instance and the settings", async () => {
    const { methods, heard } = client(["anything"], { settings: { folder: "/x" } });
    await expect(methods.readRoot("A1")).rejects.toThrow(ConnectorFault);
    expect(heard[0]?.sent).toEqual({
      ...{ protocol: "svc.connector.v1", method: "read_root", instance: "tracker" },
      ...{ settings: { folder: "/x" }, params: { root_key: "A1" } },
      id: expect.stringMatching(/^[0-9a-f]{32}$/) as string,
    });
  });

  test("waits until one of the four slots is free", async () => {
    const slots = new Slots(4);
    const gate = Promise.withResolvers<void>();
    let running = 0;
    const work = async (): Promise<number> => {
      running += 1;
      await gate.promise;
      return running;
    };
    const all = Array.from({ length: 6 }, async () => await slots.run(work));
    await systemClock.sleep(1);
    expect(running).toBe(4);
    gate.resolve();
    expect((await Promise.all(all)).length).toBe(6);
    expect(running).toBe(6);
  });
});
