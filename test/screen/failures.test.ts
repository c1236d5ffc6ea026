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
  ["a wrong label", creation, `labels[1]: ${RULE}`, `the label "Not Good" ${RULE}`],
  [
    "two wrong labels",
    creation,
    `labels[0]: ${RULE}; labels[1]: ${RULE}`,
    `the label "good" ${RULE}; the label "Not Good" ${RULE}`,
  ],
  ["a label that the form does not have", creation, `labels[2]: ${RULE}`, `labels[2]: ${RULE}`],
  ["a wrong parent", creation, "links[0].to_ref: must be text", 'the parent "zz zz" must be text'],
  ["a title that is missing", creation, "title: is required", "title: is required"],
  ["a wrong label that is added to an issue", label, `label: ${RULE}`, `the label "No" ${RULE}`],
  ["a field that the change does not have", closing, `labels[0]: ${RULE}`, `labels[0]: ${RULE}`],
])(
  "the message about a refused change names the wrong field as the person typed it, if it was typed: %s",
  (_name, write, message, text) => {
    const error = new SvcError("validation", {}, { message });
    expect(refusalOf(error, write).text.split(": see", 1)[0]).toContain(text);
  },
);

test.each([
  ["an unknown parent of a new issue", creation, "issue_not_found", {}, "parent"],
  ["an unknown issue", closing, "issue_not_found", {}, undefined],
  ["a wrong link", creation, "validation", { field: "links[0].to_ref" }, "parent"],
  ["a wrong label", creation, "validation", { field: "labels[1]" }, "labels"],
  ["a wrong owner", creation, "validation", { field: "owner" }, "owner"],
  ["a refusal that names no field", creation, "validation", {}, undefined],
] as const)(
  "the code and the data of a refusal decide which field of the form is named: %s",
  (_name, write, code, data, field) => {
    expect(refusalOf(new SvcError(code, data), write).field).toBe(field);
  },
);

test.each([
  [
    "a bridge",
    { act: "bridge", at: atOf(issue(1)), does: "reconcile", body: {}, words: [] },
    false,
  ],
  ["an issue", label, true],
] as const)(
  "a caller who may not change %s may change nothing at all, unless it is a bridge",
  (_name, write, forbidden) => {
    const error = new SvcError("integration_administration_forbidden");
    expect(refusalOf(error, write)).toMatchObject({ code: error.code, forbidden });
  },
);
