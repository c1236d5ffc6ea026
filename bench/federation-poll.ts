/**
 * Measures what a hub does for a spoke while another process asks for `ping` every 5 ms and comments on an issue every
 * 100 ms: the baseline of a project, all its events in pages, and the list of many enrollments.
 *
 *   npm run bench -- federation-poll [issues] [enrollments]
 */
import { mkdtempSync, rmSync } from "node:fs";
import { loadavg, tmpdir } from "node:os";
import path from "node:path";
import { measureRow } from "./support/beside-row.ts";
import { connect } from "./support/connection.ts";
import { startBenchDaemon } from "./support/daemon.ts";
import { seed } from "./support/seed.ts";

const ISSUES = Number(process.argv[2] ?? 100_000);
const ENROLLMENTS = Number(process.argv[3] ?? 10_000);
const API = "/api/v1";
const SPOKE = "01J00000000000000000SPXKE1";

const home = mkdtempSync(path.join(tmpdir(), "svc-bench-poll-"));
const uid = await seed(path.join(home, "svc.db"), { issues: ISSUES, links: ISSUES * 3 });
const daemon = await startBenchDaemon({ home });
// Wait until the daemon has done its work after the start.
await new Promise((resolve) => setTimeout(resolve, 2000));
const connection = await connect(daemon.socketPath);

const { projects } = await ask<{ projects: readonly { id: number; uid: string }[] }>(
  "GET",
  "/projects",
);
const federated = projects.find((project) => project.uid === uid)?.id;
const notes = await ask<{ project: { id: number } }>("POST", "/projects", {
  name: "notes",
  actor: "bench",
});
const note = await ask<{ issue: { uid: string } }>("POST", `/projects/${notes.project.id}/issues`, {
  title: "beside",
  actor: "bench",
});
const comments = `${API}/projects/${notes.project.id}/issues/${note.issue.uid}/comments`;

let token = "";
let [events, pages] = [0, 0];
console.log(
  `${ISSUES} issues, load ${loadavg()
    .map((one) => one.toFixed(1))
    .join(" ")}\n`,
);
console.log(
  "| Operation | took, s | ping p50 | p99 | max, ms | idle daemon p99 | comment p99 | max, ms | busy | peak, MiB |",
);
console.log("| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |");
const row = async (name: string, run: () => Promise<unknown>): Promise<void> =>
  console.log(await measureRow(daemon, comments, name, run));
await row("enable", async () => {
  await ask("POST", `/projects/${federated}/federation/enable`, { actor: "bench" });
});
await row(`${ENROLLMENTS} enrollments`, async () => {
  for (let made = 0; made < ENROLLMENTS; made++) {
    const enrollment = { spoke_instance_uid: SPOKE, project_id: federated, capabilities: "pull" };
    const body = { ...enrollment, actor: "bench" };
    token = (await ask<{ token: string }>("POST", "/federation/enrollments", body)).token;
  }
});
await row("list of the enrollments", async () => await ask("GET", "/federation/enrollments"));
await row("poll of all events", async () => {
  const headers = `authorization: Bearer ${token}\r\nx-svc-instance: ${SPOKE}\r\n`;
  for (let after = 0; ; pages++) {
    const at = `/projects/${federated}/federation/events?after_id=${after}`;
    const page = await ask<{ events: readonly unknown[]; next_after_id: number }>(
      "GET",
      at,
      undefined,
      headers,
    );
    events += page.events.length;
    if (page.next_after_id === after) return;
    after = page.next_after_id;
    // The other process writes all the time, so the end of the log moves on.
    if (page.events.length === 0) return;
  }
});
console.log(`\n${events} events in ${pages} pages`);

connection.close();
await daemon.stop();
rmSync(home, { recursive: true, force: true });

async function ask<T>(method: string, at: string, body?: object, headers?: string): Promise<T> {
  const sent = body === undefined ? undefined : JSON.stringify(body);
  const answer = await connection.send(method, API + at, sent, headers);
  if (answer.status !== 200) throw new Error(`${method} ${at}: ${answer.body.slice(0, 500)}`);
  return JSON.parse(answer.body) as T;
}
