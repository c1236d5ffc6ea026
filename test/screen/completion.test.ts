import { describe, expect, test } from "vitest";
import { suggestions } from "../../src/screen/dialogs/suggestions.ts";
import { form, names, values } from "../tui/on-form.ts";
import { text } from "../tui/picture.ts";
import { issue, type Session, sample, screen } from "../tui/support.ts";

describe("completion of an input", () => {
  const board = () => screen(80, 24, sample());

  test("selects with arrows, accepts with tab, and submits with enter", () => {
    const session = board().keys("+").type("a").keys("down", "tab");
    expect(session.state.dialog).toMatchObject({ field: { text: "api" } });
    session.keys("esc", "+").keys("down", "down", "enter");
    expect(session.writes).toMatchObject([{ act: "label", label: "bug" }]);
  });

  test.each([
    ["a", "claud", { act: "assign", owner: "claude" }, { act: "assign", owner: "claud" }],
    ["+", "daem", { act: "label", label: "daemon" }, { act: "label", label: "daem" }],
  ])(
    "in an input opened with %s, enter takes the only match, and ctrl+s takes the text as it was typed",
    (key, typed, taken, as) => {
      const session = board().keys(key).type(typed);
      expect(text(session)).toContain("enter take   ctrl+s as typed   esc cancel");
      expect(session.keys("enter").writes).toMatchObject([taken]);
      expect(board().keys(key).type(typed).keys("ctrl+s").writes).toMatchObject([as]);
    },
  );

  test("takes no suggestion if no owner is typed, and none if several suggestions match", () => {
    const one = screen(80, 24, [issue(1, { owner: "mei" })]);
    expect(one.keys("a", "enter", "y").writes).toMatchObject([{ act: "assign", owner: "ana" }]);
    const two = screen(80, 24, [issue(1, { owner: "carl" }), issue(2, { owner: "carmen" })]);
    expect(two.keys("a").type("ca").keys("enter").writes).toMatchObject([{ owner: "ca" }]);
  });

  test("lists the most used values first, and equally used values by name", () => {
    const issues = [["b", "c"], ["c"], ["a"]].map((labels, at) => issue(at + 1, { labels }));
    const session = screen(80, 24, issues).keys("+", "down", "tab");
    expect(session.state.dialog).toMatchObject({ field: { text: "c" } });
    session.keys("ctrl+u", "down", "down", "tab");
    expect(session.state.dialog).toMatchObject({ field: { text: "a" } });
  });

  test.each([
    ["tab", "daem", 2],
    ["enter", "daemon ", 3],
  ])(
    "the key %s in a form completes the only matching label to %j, and the only matching parent",
    (key, label, tabs) => {
      const session = screen(80, 24).keys("n", "tab", "tab").type("daem").keys(key);
      expect(values(session)["labels"]).toBe(label);
      session
        .keys(..."tab ".repeat(tabs).trim().split(" "))
        .type("rotate")
        .keys(key);
      expect(values(session)["parent"]).toBe("product#k001");
      session.keys(key).type("x");
      expect(values(session)["parent"]).toBe("product#k001");
    },
  );

  test("completion of an issue that is not loaded asks the daemon, and shows what matches the text", () => {
    const session = board().keys("b").type("elsewher");
    session.keys("e");
    const { projects } = session.state.scope;
    expect(projects[0]?.id).toBe(1);
    expect(session.effects).toEqual([
      { effect: "complete", text: "elsewhere", project_id: 1, q: "elsewhere" },
    ]);
    session.tell({ type: "completed", text: "elsewher", choices: ["infra#old1  Old"] });
    expect(text(session)).not.toContain("infra#old1");
    session.tell({ type: "completed", text: "elsewhere", choices: ["infra#zz9  Elsewhere"] });
    expect(text(session)).toContain("infra#zz9  Elsewhere");
    expect(session.keys("down", "enter").writes).toMatchObject([
      { act: "link", change: { kind: "blocked_by", does: "add", refs: ["infra#zz9"] } },
    ]);
  });

  test("searches the project that the typed text names", () => {
    const session = board().keys("p").type("infra#z").keys("9");
    expect(session.effects).toEqual([
      { effect: "complete", text: "infra#z9", project_id: 2, q: "z9" },
    ]);
  });

  test("tab in a form accepts the selected match, and otherwise goes to the next field", () => {
    const session = board().keys("n", "tab", "tab").type("bug,a").keys("down", "tab");
    expect(values(session)["labels"]).toBe("bug,api ");
    session.keys("tab");
    expect(names(session)[form(session).focus]).toBe("owner");
  });
});

describe("the issues offered for a link", () => {
  /** 1 is the parent of 2, and 2 of 3. 4 waits for 5, and 5 for 6. */
  const tied = [
    issue(1),
    issue(2, { parent: issue(1).uid }),
    issue(3, { parent: issue(2).uid }),
    issue(4, { blocked_by: [issue(5).uid] }),
    issue(5, { blocks: [issue(4).uid], blocked_by: [issue(6).uid] }),
    issue(6, { blocks: [issue(5).uid] }),
  ];
  const at = (id: string): Session => {
    const session = screen(80, 24, tied).keys("v");
    while (session.cursor !== id) session.keys("j");
    return session;
  };
  const offered = ({ state }: Session): readonly string[] =>
    state.dialog?.dialog === "prompt"
      ? suggestions(state, state.dialog)
          .map((choice) => choice.slice(8, 12))
          .sort()
      : [];

  test.each([
    ["p", "k001", ["k004", "k005", "k006"]],
    ["p", "k002", ["k001", "k004", "k005", "k006"]],
    ["p", "k003", ["k001", "k002", "k004", "k005", "k006"]],
    ["b", "k006", ["k001", "k002", "k003"]],
    ["b", "k005", ["k001", "k002", "k003", "k006"]],
    ["b", "k004", ["k001", "k002", "k003", "k005", "k006"]],
    ["l", "k004", ["k001", "k002", "k003", "k005", "k006"]],
  ])(
    "exclude the issue itself and issues that would close a circle: the key %s on %s",
    (key, id, ids) => {
      expect(offered(at(id).keys(key))).toEqual(ids);
    },
  );

  test("exclude marked issues", () => {
    const session = screen(80, 24, tied).keys("v", "space", "space", "space", "l");
    expect(offered(session)).toEqual(["k001", "k002", "k003"]);
  });

  test("do not include the issue itself if the daemon finds it", () => {
    const session = at("k004").keys("b").type("zz");
    const choices = ["product#k004  zz", "product#k001  zz", "infra#k009  zz"];
    session.tell({ type: "completed", text: "zz", choices });
    const { dialog } = session.state;
    expect(dialog?.dialog === "prompt" && suggestions(session.state, dialog)).toEqual(
      choices.slice(1),
    );
  });

  test("are only other issues of the same project if the link is to a duplicate", () => {
    const elsewhere = { project_id: 2, qualified_id: "infra#k002" };
    const session = screen(80, 24, [issue(1), issue(2, elsewhere), issue(3)]);
    session.keys("v", "G", "X", "right", "right", "tab", "tab", "tab").keys("down");
    expect(names(session)[form(session).focus]).toBe("value1");
    expect(text(session)).toContain("product#k003");
    expect(text(session)).not.toMatch(/^ +infra#k002/m);
    expect(values(session.keys("tab"))["value1"]).toBe("product#k003");
  });

  test("may already be linked with each other in a circle", () => {
    const circle = [
      issue(1, { parent: issue(2).uid }),
      issue(2, { parent: issue(1).uid }),
      issue(3),
    ];
    const session = screen(80, 24, circle).keys("v", "g", "p");
    expect(offered(session)).toEqual(["k001", "k002"]);
  });
});

describe("the filter form", () => {
  const filter = (...keys: readonly string[]): Session =>
    screen(80, 24, sample()).keys("f", ...keys);

  test.each([
    ["owner", 1, "clau", "claude"],
    ["owner", 1, "no", "none"],
    ["author", 2, "an", "ana"],
    ["labels", 4, "api,fed", "api,federation "],
    ["labels", 4, "-daem", "-daemon "],
    ["project", 6, "inf", "infra"],
  ])(
    "completes the field %s to the only match by enter, and applies the filter by the next enter",
    (name, tabs, typed, value) => {
      const session = filter(...Array.from({ length: tabs }, () => "tab")).type(typed);
      expect(text(session)).toContain("enter take");
      session.keys("enter");
      expect(values(session)[name]).toBe(value);
      expect(text(session)).toContain("enter apply");
      session.keys("enter");
      expect(session.state.dialog).toBeUndefined();
      expect(session.state.board.query).toMatch(/^status:open \S/);
    },
  );

  test("offers the existing values, the most used first, when an arrow is pressed", () => {
    const session = filter("tab", "down");
    expect(text(session)).toMatch(/> none\n +claude\n +bo\n +codex/);
    expect(values(session.keys("down", "tab"))["owner"]).toBe("claude");
    session.keys("tab", "tab", "tab", "tab", "down", "down", "enter");
    expect(values(session)["priority"]).toBe("1");
  });

  test("applies an ambiguous text as it was typed", () => {
    const session = filter("tab").type("c").keys("enter");
    expect(session.state.board.query).toBe("status:open owner:c");
  });
});
