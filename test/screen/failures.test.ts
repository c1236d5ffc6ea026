import { expect, test } from "vitest";
import { SvcError } from "../../src/contract/errors.ts";
import { refusalOf } from "../../src/screen/effects/failures.ts";
import { atOf, type Write } from "../../src/screen/writes/writes.ts";
import { issue } from "../tui/support.ts";

const creation: Write = {
  act: "create",
  project: { id: 1, name: "product" },
  title: "New",
  body: "",
  owner: undefined,
  priority: undefined,
  labels: ["good", "Not Good"],
  parent: "zz zz",
  key: "key",
  force_new: false,
};
const label: Write = { act: "label", at: atOf(issue(1)), label: "No" };
const closing: Write = { act: "delete", at: atOf(issue(1)) };
const RULE = "must be 1 to 64 of a-z 0-9 . _ : -";

test.each([
  [creation, `labels[1]: ${RULE}`, `the label "Not Good" ${RULE}`],
  [
    creation,
    `labels[0]: ${RULE}; labels[1]: ${RULE}`,
    `the label "good" ${RULE}; the label "Not Good" ${RULE}`,
  ],
  [creation, `labels[2]: ${RULE}`, `labels[2]: ${RULE}`],
  [creation, "links[0].to_ref: must be text", 'the parent "zz zz" must be text'],
  [creation, "title: is required", "title: is required"],
  [label, `label: ${RULE}`, `the label "No" ${RULE}`],
  [closing, `labels[0]: ${RULE}`, `labels[0]: ${RULE}`],
])(
  "the message about a refused change names a wrong field as the person typed it (case %#)",
  (write, message, text) => {
    const error = new SvcError("validation", {}, { message });
    expect(refusalOf(error, write).text.split(": see", 1)[0]).toContain(text);
  },
);

test.each([
  [creation, "issue_not_found", {}, "parent"],
  [closing, "issue_not_found", {}, undefined],
  [creation, "validation", { field: "links[0].to_ref" }, "parent"],
  [creation, "validation", { field: "labels[1]" }, "labels"],
  [creation, "validation", { field: "owner" }, "owner"],
  [creation, "validation", {}, undefined],
] as const)(
  "the code and the data of a refusal decide which field of the form is named (case %#)",
  (write, code, data, field) => {
    expect(refusalOf(new SvcError(code, data), write).field).toBe(field);
  },
);
