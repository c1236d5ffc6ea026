import { expect, test } from "vitest";
import { issueInAddress } from "../../src/screen/issues/issue-address.ts";
import { issue, screen } from "../tui/support.ts";

const UID = "01JD3T9K6Q2Z0W4B7N8M5X1Y2C";

test.each([
  [`http://127.0.0.1:7780/svc?issue=${UID}`, UID],
  [`https://tracker.example.com/svc?screen=graph&issue=${UID.toLowerCase()}#direct=1`, UID],
  ["http://127.0.0.1/svc?issue=plan%23abc4", "plan#abc4"],
  ["http://127.0.0.1/svc?issue=plan#abc4", "plan#abc4"],
  ["http://127.0.0.1/svc?issue=abc4#list", "abc4"],
  ["http://127.0.0.1/svc?issue=", undefined],
  ["http://127.0.0.1/svc", undefined],
  [`http://127.0.0.1/svcs?issue=${UID}`, undefined],
  [`http://127.0.0.1/api?issue=${UID}`, undefined],
  [`ftp://127.0.0.1/svc?issue=${UID}`, undefined],
  [`/svc?issue=${UID}`, undefined],
  [UID, undefined],
  ["abc4", undefined],
  ["http://", undefined],
])("the address %s names the issue %s", (text, named) => {
  expect(issueInAddress(text)).toBe(named);
});

const PAGE = "http://127.0.0.1:7780/svc?issue=";

test.each([
  [
    "the address with the uid of a loaded issue becomes its name",
    `${PAGE}${issue(3).uid}`,
    "product#k003",
  ],
  [
    "the address with the name of a loaded issue becomes its name",
    `${PAGE}product%23k003`,
    "product#k003",
  ],
  ["the address of an issue that is not loaded becomes its uid", `${PAGE}${UID}`, UID],
  [
    "text that may be the beginning of a longer address stays as it is",
    `${PAGE}01JD3`,
    `${PAGE}01JD3`,
  ],
])("pasting an address into a field that asks for an issue: %s", (_how, text, ref) => {
  const asked = screen(100, 20).keys("b");
  asked.tell({ type: "paste", text });
  expect(asked.state.dialog).toMatchObject({ dialog: "prompt", field: { text: ref } });
  const form = screen(100, 20).keys("n", "tab", "tab", "tab", "tab", "tab");
  form.tell({ type: "paste", text });
  const { dialog } = form.state;
  const field = dialog?.dialog === "form" ? dialog.fields[dialog.focus] : undefined;
  expect(field).toMatchObject({ name: "parent", value: { text: ref } });
});
