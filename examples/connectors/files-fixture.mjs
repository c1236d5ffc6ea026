// Changes the provider of files.mjs, a folder of Markdown files, for `svc connector test`.
// docs/connectors.md describes the protocol of a fixture.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { commentsOf, edited, findByKey, rootOf, valuesOf } from "./markdown-files.mjs";

const NAME = "svc-connector-test.md";

const TEXT = `---
state: open
due: 2026-03-01
owner: ann
---
# The title of the test

The body of the test.

<!-- comments -->

<!-- comment id=first by=ann at=2026-01-01T10:00:00.000Z -->
The first comment.

<!-- comment id=second by=bea at=2026-01-01T10:00:00.000Z -->
The second comment, of the same moment.

<!-- comment id=third by=ann at=2026-01-02T10:00:00.000Z -->
The third comment.
`;

const METHODS = {
  reset: ({ folder }) => {
    writeFileSync(join(folder, NAME), TEXT);
    return { locator: NAME };
  },
  state: ({ folder }, { root_key }) => {
    const file = findByKey(folder, root_key);
    const { title, body, state } = rootOf(file, folder);
    return {
      root: { title, body, state },
      comments: commentsOf(file).map(({ id, body: text, deleted }) => ({
        id,
        body: text,
        deleted,
      })),
      fields: valuesOf(file, ["due", "scheduled"]),
      raw: file.text,
    };
  },
  edit_comment: ({ folder }, { root_key, comment_id, body }) => {
    edited(findByKey(folder, root_key), comment_id, { body });
    return {};
  },
  delete_comment: ({ folder }, { root_key, comment_id }) => {
    edited(findByKey(folder, root_key), comment_id, { isDeleted: true });
    return {};
  },
};

const { protocol, id, method, settings, params } = JSON.parse(readFileSync(0, "utf8"));
if (protocol !== "svc.connector.fixture.v1" || !Object.hasOwn(METHODS, method)) process.exit(2);
const result = METHODS[method](settings, params);
process.stdout.write(`${JSON.stringify({ protocol, id, result })}\n`);
