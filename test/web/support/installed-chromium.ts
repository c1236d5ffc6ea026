import { accessSync, constants } from "node:fs";
import { delimiter, isAbsolute, join } from "node:path";
import { type Browser, chromium } from "playwright-core";

const NAMES = ["chromium", "chromium-browser", "google-chrome-stable", "google-chrome", "chrome"];
const MAC = "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome";

/** Host names of other machines, which lead to this one: a foreign page may have its name resolved to any address. */
export const REBOUND = "rebound.example.com";

/** The Chromium that tests use: the one that SVC_TEST_CHROMIUM names, or one that is installed. */
export const CHROMIUM = findChromium();

function findChromium(): string | undefined {
  const { SVC_TEST_CHROMIUM: named = "", PATH = "" } = process.env;
  if (named !== "") {
    if (isAbsolute(named) && isProgram(named)) return named;
    throw new Error(`SVC_TEST_CHROMIUM is no program with a whole path: ${named}`);
  }
  const folders = PATH.split(delimiter).filter((folder) => !folder.includes("node_modules"));
  const places = folders.flatMap((folder) => NAMES.map((name) => join(folder, name)));
  return [...places, MAC].find(isProgram);
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Every name but those of this machine stays unresolved, so that no page reaches anything else. */
const RESOLVED = [
  ...[`MAP ${REBOUND} 127.0.0.1`, "MAP localhost 127.0.0.1"],
  ...["MAP * ~NOTFOUND", "EXCLUDE 127.0.0.1"],
].join(", ");
const FLAGS = [
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  `--host-resolver-rules=${RESOLVED}`,
];

export async function launchChromium(): Promise<Browser> {
  return await chromium.launch({
    executablePath: CHROMIUM ?? "chromium",
    headless: true,
    // Root, as whom tests may run in a container, has no sandbox.
    chromiumSandbox: false,
    args: FLAGS,
  });
}
