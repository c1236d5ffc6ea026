import { expect, test } from "vitest";
import { browserPrograms, isRemoteShell, wordsFor } from "../../src/config/browser.ts";

const WINDOWS = ["rundll32.exe", "url.dll,FileProtocolHandler"];

test.each([
  ["linux", { DISPLAY: ":0" }, [["xdg-open"], ["gio", "open"]]],
  ["linux", { WAYLAND_DISPLAY: "wayland-0" }, [["xdg-open"], ["gio", "open"]]],
  ["linux", {}, []],
  ["linux", { DISPLAY: "", WAYLAND_DISPLAY: "" }, []],
  ["linux", { WSL_DISTRO_NAME: "Debian" }, [["wslview"], WINDOWS, ["xdg-open"]]],
  ["linux", { WSL_INTEROP: "/run/WSL/1_interop" }, [["wslview"], WINDOWS, ["xdg-open"]]],
  ["darwin", {}, [["open"]]],
  ["win32", {}, [WINDOWS]],
  ["linux", { BROWSER: "firefox" }, [["firefox"]]],
  [
    "linux",
    { BROWSER: "firefox --new-window:lynx %s" },
    [
      ["firefox", "--new-window"],
      ["lynx", "%s"],
    ],
  ],
  ["linux", { BROWSER: "firefox", DISPLAY: ":0" }, [["firefox"]]],
  ["linux", { BROWSER: "", DISPLAY: ":0" }, [["xdg-open"], ["gio", "open"]]],
  ["linux", { BROWSER: " : ", DISPLAY: ":0" }, [["xdg-open"], ["gio", "open"]]],
  ["darwin", { BROWSER: "firefox" }, [["firefox"]]],
  ["win32", { BROWSER: "C:\\firefox.exe;edge" }, [["C:\\firefox.exe"], ["edge"]]],
] as const)(
  "on %s with the variables %j, a browser is opened by one of %j",
  (platform, env, programs) => {
    expect(browserPrograms(env, platform)).toEqual(programs);
  },
);

test.each([
  [["firefox"], ["firefox", "http://h/svc"]],
  [
    ["gio", "open"],
    ["gio", "open", "http://h/svc"],
  ],
  [
    ["lynx", "%s"],
    ["lynx", "http://h/svc"],
  ],
  [
    ["run", "--at=%s", "--new"],
    ["run", "--at=http://h/svc", "--new"],
  ],
  [["%s"], ["%s", "http://h/svc"]],
] as const)("the program %j is started to open a page as %j", (program, words) => {
  expect(wordsFor(program, "http://h/svc")).toEqual(words);
});

test("the address of a page stays one argument of the browser's command, whatever it contains", () => {
  const url = "http://h/svc?a=$& %s&b=';rm -rf ~#direct=1";
  expect(wordsFor(["open", "%s"], url)).toEqual(["open", url]);
  expect(wordsFor(["open"], url)).toEqual(["open", url]);
});

test.each([
  [{}, false],
  [{ SSH_CONNECTION: "" }, false],
  [{ SSH_CONNECTION: "10.0.0.2 50000 10.0.0.1 22" }, true],
  [{ SSH_TTY: "/dev/pts/1" }, true],
])("a shell with the variables %j counts as remote: %s", (env, expected) => {
  expect(isRemoteShell(env)).toBe(expected);
});
