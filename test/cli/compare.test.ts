import { describe, expect, test } from "vitest";
import { comparisonView } from "../../src/cli/render/comparison.ts";
import { projectWorld } from "./harness.ts";

const EVENT = "\\(\\w{26}\\), issue\\.created, [-0-9TZ:.]+";

describe("events compare", () => {
  test("says whether a backup is the same log, the beginning of the log, or another log", async () => {
    const w = await projectWorld();
    await w.issue("one");
    await w.ok(["backup", "--output", "copy.jsonl"]);
    const compare = ["events", "compare", "copy.jsonl"];
    expect(await w.ok(compare)).toMatch(/^the logs are the same, up to event \d+\n$/);
    expect(await w.ok([...compare, "--agent"])).toMatch(
      /^OK events-compare result=same same_to=\d+\n$/,
    );
    expect(await w.ok([...compare, "-q"])).toBe("");
    await w.issue("two");
    const ahead = await w.run(compare);
    expect(ahead).toMatchObject({ code: 1, err: "svc: the logs differ\n" });
    expect(ahead.out).toMatch(
      new RegExp(
        `^the file is the beginning of this log, up to event \\d+; this log goes on with event \\d+\\n {2}here: +event \\d+ ${EVENT}\\n$`,
      ),
    );
    const json = await w.run([...compare, "--json"]);
    expect(json.code).toBe(1);
    const { result, from, here } = JSON.parse(json.out);
    expect({ result, at: here.at }).toMatchObject({
      ...{ result: "file_is_beginning", at: { id: from, type: "issue.created" } },
    });
    const other = await projectWorld();
    await other.issue("another one");
    const agent = await other.run(["events", "compare", `${w.work}/copy.jsonl`, "--agent"]);
    expect(agent.code).toBe(1);
    expect(agent.out).toMatch(
      /^OK events-compare result=different same_to=1 from=2 is_exact=true\n- log=here id=2 uid=\w+ type=project\.alias_added created_at=\S+\n- log=file id=2 /,
    );
  });

  test("says where purged events hide the difference, and that a log is broken", () => {
    const copy = { events: 1, last_id: 9, purged: 0 };
    const purged = { ...copy, purged: 2, at: { id: 11, purged: true } } as const;
    const known = { path: "/copy.jsonl", same_to: 7, from: 11, is_exact: false };
    const style = { paint: (_tone: string, text: string) => text, columns: 80, quiet: false };
    const text = (body: Parameters<typeof comparisonView.human>[0]) =>
      comparisonView.human(body, style);
    const at = { id: 12, uid: "U", type: "issue.closed", created_at: "T" };
    expect(
      text({ ...known, result: "different", here: purged, file: { ...copy, at } }).split("\n"),
    ).toEqual([
      "the logs differ between event 7 and event 11: purged events hide where",
      "  here:        events up to 11, purged",
      "  in the file: event 12 (U), issue.closed, T",
      "purged here: 2 events that are still in the file",
    ]);
    expect(
      text({
        ...{ ...known, result: "file_is_beginning", here: purged, file: copy },
        broken: "event 9 (U) does not match its content hash",
      }).split("\n"),
    ).toEqual([
      "the file is the beginning of this log, up to event 9; this log goes on with event 11",
      "  here:        events up to 11, purged",
      "purged here: 2 events that are still in the file",
      "not compared, since the other log has purged them: what is after event 7",
      "this log is broken: event 9 (U) does not match its content hash",
    ]);
  });
});
