import { projectWorld } from "./harness.ts";

/** Makes a small project: a parent with two children, one of which waits for a bug outside. */
export async function backlog() {
  const w = await projectWorld();
  const bug = await w.issue(
    "bug",
    "--label",
    "bug",
    "--priority",
    "1",
    "--body",
    "Steps:\n1. open it",
  );
  const epic = await w.issue("epic", "--label", "epic");
  const free = await w.issue("free", "--parent", epic, "--owner", "bea");
  const waits = await w.issue("waits", "--parent", epic, "--blocked-by", bug, "--priority", "0");
  return { ...w, bug, epic, free, waits };
}
