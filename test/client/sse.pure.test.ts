import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Frame, FrameReader } from "../../src/shared/sse.ts";

function read(...pieces: readonly (string | Buffer)[]): readonly Frame[] {
  const reader = new FrameReader();
  return pieces.flatMap((piece) => reader.push(Buffer.from(piece)));
}

const STREAM = [
  ": connected\n\n",
  'id: 1\nevent: issue.created\ndata: {"title":"é 😀"}\n\n',
  ": keepalive\n\n",
  "id:2\nevent:issue.closed\ndata:{\ndata: }\n\n",
  "data\n\n",
  "id: 3\nretry: 10\nfoo: bar\nevent: x\n\n",
  'id: 9\nevent: sync.reset_required\ndata: {"event_id":9,"reset_after_id":9}\n\n',
].join("");

const FRAMES: readonly Frame[] = [
  { id: "1", event: "issue.created", data: '{"title":"é 😀"}' },
  { id: "2", event: "issue.closed", data: "{\n}" },
  { id: undefined, event: "message", data: "" },
  // A frame without data is no event: it only says how far the log was read.
  { id: "3", event: "", data: "" },
  { id: "9", event: "sync.reset_required", data: '{"event_id":9,"reset_after_id":9}' },
];

describe("the frames of an event stream", () => {
  test.each([
    ["LF", "\n"],
    ["CRLF", "\r\n"],
    ["CR", "\r"],
  ])("are the same wherever the stream is cut in two, with lines ended by %s", (_name, end) => {
    const whole = Buffer.from(STREAM.replaceAll("\n", end));
    expect(read(whole)).toEqual(FRAMES);
    for (let at = 0; at <= whole.length; at++) {
      expect(read(whole.subarray(0, at), whole.subarray(at))).toEqual(FRAMES);
    }
    expect(read(...[...whole].map((byte) => Buffer.of(byte)))).toEqual(FRAMES);
  });

  test("are the same in however many pieces the stream arrives", () => {
    const whole = Buffer.from(STREAM.replaceAll("\n", "\r\n"));
    fc.assert(
      fc.property(fc.array(fc.nat(whole.length), { maxLength: 30 }), (cuts) => {
        const places = [0, ...cuts.toSorted((a, b) => a - b), whole.length];
        const pieces = places.slice(1).map((end, at) => whole.subarray(places[at], end));
        expect(read(...pieces)).toEqual(FRAMES);
      }),
    );
  });

  test("do not include a frame that is not finished", () => {
    expect(read("id: 1\nevent: x\ndata: {}\n")).toEqual([]);
    expect(read("id: 1\nevent: x\ndata: {}")).toEqual([]);
  });

  test("have no id if the id in the stream contains a NUL character", () => {
    expect(read("id: 1\0\ndata: x\n\n")).toEqual([{ id: undefined, event: "message", data: "x" }]);
  });

  test("are refused as too long if a frame or a line never ends", () => {
    const reader = new FrameReader();
    const piece = Buffer.alloc(1024 * 1024, "x");
    const fill = (): void => {
      for (let n = 0; n < 20; n++) reader.push(piece);
    };
    expect(fill).toThrow("too long");
    const lines = new FrameReader();
    const line = Buffer.from(`data: ${"x".repeat(1024 * 1024)}\n`);
    const fillLines = (): void => {
      for (let n = 0; n < 20; n++) lines.push(line);
    };
    expect(fillLines).toThrow("too long");
  });
});
