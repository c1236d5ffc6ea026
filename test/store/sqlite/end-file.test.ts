import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { EndFile } from "../../../src/store/sqlite/end-file.ts";
import { tempFolder } from "../../support/daemon.ts";

const END = { epoch: "01ARZ3NDEKTSV4RRFFQ69G5FAV", chain: "0".repeat(32), last_event_id: 7 };

test("the recorded end of the log is read back only for the database it was written for", () => {
  const database = join(tempFolder(), "svc.db");
  writeFileSync(database, "");
  const file = new EndFile(database);
  expect(file.read()).toBeUndefined();
  file.write(END);
  file.close();
  const again = new EndFile(database);
  expect(again.read()).toEqual(END);
  again.close();
});

test("a write does not fail if the end of the log cannot be recorded, since the commit is made", () => {
  const database = join(tempFolder(), "svc.db");
  writeFileSync(database, "");
  const file = new EndFile(database);
  file.write(END);
  rmSync(database);
  file.write({ ...END, last_event_id: 8 });
  writeFileSync(database, "");
  file.close();
  expect(() => file.write({ ...END, last_event_id: 9 })).not.toThrow();
});
