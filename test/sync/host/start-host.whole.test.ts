import { afterAll, beforeAll, expect, test } from "vitest";
import { GithubProvider } from "../../../src/sync/github/provider.ts";
import { HastyClock, REPO, readRun, TOKEN, trustHost } from "../github/support.ts";
import { type HostProcess, startHost } from "./start-host.ts";

trustHost();

let started: HostProcess;
beforeAll(async () => {
  started = await startHost();
});
afterAll(async () => await started.close());

test("the simulated GitHub host runs in its own process and is controlled by messages", async () => {
  const { host, state } = started;
  await state.addToken(TOKEN);
  const { id, node_id } = await state.addRepository("ann", "tracker");
  expect(await state.addIssue(REPO, { title: "From another process" })).toBe(1);
  const settings = { apps: [], tokenEnv: "T", tokenHost: host, allowedHosts: [host] };
  const env = { T: TOKEN };
  const provider = new GithubProvider({ clock: new HastyClock(), settings, env, home: "/" });
  const bound = { host, owner: "ann", repo: "tracker", remote_id: node_id, repo_id: String(id) };
  const { issues } = await readRun(provider, bound, { parents: "scan" });
  expect(issues.map(({ title }) => title)).toEqual(["From another process"]);
  expect((await state.askedSoFar()).map(({ method }) => method)).toEqual(["GET", "POST", "GET"]);
  await expect(state.editIssue(REPO, 7, {})).rejects.toThrow("has no issue 7");
});
