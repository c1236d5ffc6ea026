import { spawn } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";
import { escapeControls } from "../../../src/base/visible.ts";
import { escapeControlBytes } from "../../../src/base/visible-bytes.ts";

test("the control characters of an answer are escaped the same in one piece and in parts, wherever it is split", () => {
  for (const at of [65_530, 65_533, 65_534, 65_535, 65_536]) {
    const text = `{"a":"${"x".repeat(at)}\u202e€\u{1f600}\u0085${"é".repeat(70_000)}"}`;
    expect(escapeControlBytes(Buffer.from(text)).toString()).toBe(escapeControls(text));
  }
});

const file = (name: string) => JSON.stringify(join(import.meta.dirname, "../../../src/cli", name));

test.each([
  ["without a command", `import { writeJson } from ${file("fast-path/write.ts")};`],
  [
    "by a command",
    `
    import { SvcCommand } from ${file("bases/svc-command.ts")};
    import { processContext } from ${file("process-context.ts")};
    const json = Object.create(SvcCommand.prototype);
    Object.assign(json, { mode: "json", context: processContext() });
    const writeJson = (bytes) => {
      const answer = { get json() { return bytes.toString(); }, bytes };
      void SvcCommand.prototype.print.call(json, answer);
      return true;
    };`,
  ],
])(
  "printing an answer of 100 MB with a control character %s needs no large heap",
  async (_, imported) => {
    const program = `
    ${imported}
    const body = Buffer.alloc(100_000_000, "x");
    body.write('{"a":"\\u202e', 0);
    body.write('"}', body.length - 2);
    if (!writeJson(body)) process.exitCode = 1;`;
    const child = spawn(
      process.execPath,
      ["--max-old-space-size=64", "--input-type=module", "--eval", program],
      { stdio: ["ignore", "pipe", "inherit"] },
    );
    let bytes = 0;
    child.stdout.on("data", (piece: Buffer) => {
      bytes += piece.length;
    });
    const code = await new Promise((resolve) => child.once("close", resolve));
    expect(code).toBe(0);
    // svc adds the version and the line feed, and the escape is three bytes longer than the character.
    expect(bytes).toBe(100_000_000 + '"svc_api_version":1,'.length + 1 + 3);
  },
  30_000,
);
