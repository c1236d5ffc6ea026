import { expect, test } from "vitest";
import { postgresDsn, query } from "../support/postgres.ts";
import { box } from "./box.ts";

test("a PostgreSQL user without the right to create tables can run a daemon in validate mode once the tables exist", async () => {
  const dsn = await postgresDsn();
  const user = new URL(dsn);
  const role = `worker_${user.pathname.slice(1)}`;
  await query(dsn, `create role "${role}" login password 'pw'`);
  user.username = role;
  user.password = "pw";
  const owner = box({ SVC_DSN: dsn });
  const worker = box({ SVC_DSN: user.href, SVC_POSTGRES_SCHEMA_MODE: "validate" });

  const early = await worker.svc("init", "--project", "tools");
  expect(early.code).not.toBe(0);
  expect(early.stderr).toContain("the schema svc holds no tables of svc");
  expect(early.stderr).toContain("svc storage postgres migrate");
  expect(early.stderr).not.toContain("pw@");

  await owner.json("storage", "postgres", "migrate");
  await query(
    dsn,
    `grant usage on schema svc to "${role}";
     grant select, insert, update, delete on all tables in schema svc to "${role}"`,
  );
  await worker.json("init", "--project", "tools");
  await worker.json("create", "Made without rights to tables");
  const { issues } = await worker.json<{ issues: { title: string }[] }>("list");
  expect(issues.map(({ title }) => title)).toEqual(["Made without rights to tables"]);
  await worker.svc("daemon", "stop");

  await query(dsn, "alter table svc.issue add column note text");
  const altered = await worker.svc("list");
  expect(altered.code).not.toBe(0);
  expect(altered.stderr).toContain("not as svc makes them");
  expect(await owner.json<{ tables: string }>("storage", "postgres", "status")).toMatchObject({
    tables: "altered",
  });
  await query(dsn, `drop owned by "${role}"; drop role "${role}"`);
});
