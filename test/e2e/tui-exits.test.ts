import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type Pty, pty } from "../support/pty.ts";
import { type Box, box } from "./box.ts";

/** Causes a fault in the screen's process when the test sends a signal, and writes the pid to a file. */
const PRELOAD = `
import { writeFileSync } from "node:fs";
if (process.argv.includes("tui")) {
  const plant = () => {
    Array.prototype.findLastIndex = () => { throw new Error("planted in drawing"); };
  };
  if (process.env.FAULT === "first") plant();
  writeFileSync(process.env.PID_FILE, String(process.pid));
  process.on("SIGUSR2", () => {
    if (process.env.FAULT === "draw") {
      plant();
      writeFileSync(process.env.PID_FILE + ".planted", "");
    } else setTimeout(() => { throw new Error("planted elsewhere"); });
  });
}
`;

const STATE =
  'stty -a | tr ";" "\\n" | grep -oE -e "-?(echo|icanon)( |$)" | sort | uniq | tr -d "\\n"; echo END';
/** The shell's script: it runs the screen, and prints its exit code and the state of the terminal. */
const PLAIN = `trap "" INT TERM; "$NODE" "$SVC" tui $WORDS; echo "left with $?"; ${STATE}`;
/** A shell with job control, which resumes the screen after a line of input. */
const JOB = `set -m; "$NODE" "$SVC" tui; echo STOPPED; read line; fg; echo "left with $?"; ${STATE}`;

interface Screen extends Pty {
  /** The pid of the screen's process. */
  pid(): number;
  /** Whether drawing fails from now on. */
  isPlanted(): boolean;
}

/** Starts the screen from a shell, which prints the state of the terminal afterwards. */
async function screenOf(
  fault: string,
  { words = "", script = PLAIN }: { readonly words?: string; readonly script?: string } = {},
): Promise<Screen> {
  const place = await board();
  const preload = join(place.folder, "preload.mjs");
  const file = join(place.folder, "pid");
  writeFileSync(preload, PRELOAD);
  const env = {
    ...place.env,
    NODE_OPTIONS: `--import=${preload}`,
    PID_FILE: file,
    FAULT: fault,
    SVC: place.launcher,
    NODE: process.execPath,
    WORDS: words,
  };
  const screen = pty("/bin/sh", ["-c", script], { cwd: place.work, env });
  if (fault !== "first") {
    await screen.shows("Only issue");
    await screen.shows("live");
  }
  return {
    ...screen,
    pid: () => Number(readFileSync(file, "utf8")),
    isPlanted: () => existsSync(`${file}.planted`),
  };
}

async function board(): Promise<Box> {
  const place = box();
  await place.json("init", "--project", "product");
  await place.json("create", "Only issue");
  return place;
}

/** Waits long enough for a busy machine. */
const WAIT = { timeout: 20_000 };

const MODES = ["1049", "2004", "2031", "1000", "1006"];

/** Returns the exit code of the screen, after checking that the terminal is in the state from before. */
async function leftWith(screen: Screen): Promise<number> {
  await screen.shows("END");
  const shown = screen.screen().join("\n");
  expect(shown).toMatch(/^echo icanon END$/m);
  expect(screen.isAlternate()).toBe(false);
  const written = screen.written();
  for (const mode of MODES)
    expect([mode, written.lastIndexOf(`[?${mode}l`)]).toEqual([
      mode,
      Math.max(written.lastIndexOf(`[?${mode}l`), written.lastIndexOf(`[?${mode}h`)),
    ]);
  expect(written.lastIndexOf("[?25h")).toBeGreaterThan(written.lastIndexOf("[?25l"));
  return Number(/left with (\d+)/.exec(shown)?.[1]);
}

describe("the terminal is restored", () => {
  test.each([
    ["q and y", "qy"],
    ["ctrl+c", "\u0003"],
    ["ctrl+c in a form, and y for what is lost", "nhalf a title\u0003y"],
  ])("the terminal is restored after %s", async (_how, keys) => {
    const screen = await screenOf("", { words: "--mouse" });
    screen.type(keys);
    expect(await leftWith(screen)).toBe(0);
  });

  test.each([
    ["SIGTERM", 143],
    ["SIGHUP", 129],
    ["SIGINT", 130],
    ["SIGQUIT", 131],
  ] as const)(
    "the terminal is restored after %s, which the exit code reports",
    async (signal, code) => {
      const screen = await screenOf("", { words: "--mouse" });
      process.kill(screen.pid(), signal);
      expect(await leftWith(screen)).toBe(code);
    },
  );

  test.each([
    ["draw", "planted in drawing"],
    ["later", "planted elsewhere"],
  ])(
    "the terminal is restored after an internal error (%s), which is reported in words",
    async (fault, text) => {
      const screen = await screenOf(fault, { words: "--mouse" });
      process.kill(screen.pid(), "SIGUSR2");
      if (fault === "draw") await expect.poll(screen.isPlanted, WAIT).toBe(true);
      screen.type("j");
      expect(await leftWith(screen)).toBe(1);
      expect(screen.screen().join("\n")).toContain(text);
      expect(screen.screen().join("\n")).not.toMatch(/^ +at /m);
    },
  );

  test("the terminal is restored after an error in the first frame, which is reported in words", async () => {
    const screen = await screenOf("first");
    expect(await leftWith(screen)).toBe(1);
    expect(screen.screen().join("\n")).toContain("planted in drawing");
  });

  test("the terminal is restored while the screen is suspended, and the board returns when it resumes", async () => {
    const screen = await screenOf("", { script: JOB });
    screen.type("\u001A");
    await screen.shows("STOPPED");
    expect(screen.isAlternate()).toBe(false);
    screen.type("\r");
    await screen.shows("Only issue");
    expect(screen.isAlternate()).toBe(true);
    screen.type("M");
    await screen.shows("no messages");
    screen.type("\u0003");
    expect(await leftWith(screen)).toBe(0);
  });

  test("the terminal is restored while the screen is suspended and resized, and the board resumes with the new size", async () => {
    const screen = await screenOf("", { script: JOB });
    screen.type("\u001A");
    await screen.shows("STOPPED");
    screen.resize(60, 14);
    screen.type("\r");
    await screen.shows("Only issue");
    await expect.poll(() => screen.screen().at(-1), WAIT).toContain("? help");
    expect(screen.screen()[0]).toMatch(/^ svc {2}product/);
    screen.type("\u0003");
    expect(await leftWith(screen)).toBe(0);
  });

  test("the terminal is restored if no shell can suspend the screen, and the screen then resumes by itself", async () => {
    const screen = await screenOf("");
    const count = (): number => screen.written().split("[?1049h").length;
    screen.type("\u001A");
    await expect.poll(count, WAIT).toBe(3);
    screen.type("M");
    await screen.shows("no messages");
    screen.type("\u001B");
    await screen.hides("no messages");
    screen.type("\u001A");
    await expect.poll(() => screen.written().split("[?1049l").length, WAIT).toBe(3);
    process.kill(screen.pid(), "SIGTERM");
    expect(await leftWith(screen)).toBe(143);
  });
});

test("a terminal that hangs up ends the screen, and leaves nothing running", async () => {
  const screen = await screenOf("");
  const pid = screen.pid();
  screen.hangUp();
  await expect.poll(() => existsSync(`/proc/${pid}`) && isRunning(pid), WAIT).toBe(false);
});

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

test("after a hundred resizes the frame fits the last size", async () => {
  const screen = await screenOf("");
  for (let turn = 0; turn < 100; turn++)
    screen.resize(40 + ((turn * 37) % 160), 10 + ((turn * 13) % 50));
  screen.resize(90, 20);
  await screen.shows("1/1");
  await screen.shows("? help");
  // A picture of an earlier size is as wide as that size, and its first line may be wrapped.
  await expect.poll(() => screen.screen()[0], WAIT).toMatch(/^(?=.{90}$) svc {2}product.* live $/);
  await expect.poll(() => screen.screen().at(-1), WAIT).toContain("? help");
  const before = screen.screen();
  expect(before).toHaveLength(20);
  screen.type("\u000C");
  screen.type("M");
  await screen.shows("no messages");
  screen.type("\u001B");
  await screen.hides("no messages");
  expect(screen.screen()).toEqual(before);
  screen.type("\u0003");
  expect(await leftWith(screen)).toBe(0);
});
