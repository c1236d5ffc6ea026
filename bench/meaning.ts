/**
 * Measures the search by meaning of a daemon with many issues. The provider is that of the tests, in a process of its
 * own: it answers at once, with vectors that form clusters. Measured are searches before and after the index exists, the
 * filling of the index, passes over unchanged issues, and pings beside all of these; then how many of the nearest
 * vectors the sign bits find. The exit code says whether the goals are met.
 *
 *   npm run bench -- meaning [--issues 100000] [--dims 768] [--searches 500] [--on postgres] [--home <folder>]
 *
 * The folder `--home` is kept (SQLite only). If it has issues from an earlier run, these are not made and embedded again.
 *
 * With `--before <commit>` it instead compares a daemon without a provider with that of an older commit.
 *
 * With the base URL and the model of a real provider it instead embeds the judged issues of test/search with it, and says
 * which share of the right answers is found by words, by meaning and by both; and how many of the nearest vectors the
 * sign bits find among as many texts as `--issues` says. A key is read from the variable SVC_BENCH_KEY.
 *
 *   npm run bench -- meaning --provider <url> --model <name> [--dims 768] [--issues 20000]
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { Goals } from "./support/goals.ts";
import { measureModel } from "./support/meaning/model.ts";
import { measureMeaning } from "./support/meaning/whole.ts";
import { measureWithout } from "./support/meaning/without.ts";

const { values: flags } = parseArgs({
  options: {
    issues: { type: "string" },
    dims: { type: "string", default: "768" },
    searches: { type: "string", default: "500" },
    rounds: { type: "string", default: "20" },
    on: { type: "string", default: "sqlite" },
    home: { type: "string" },
    before: { type: "string" },
    provider: { type: "string" },
    model: { type: "string" },
  },
});
const dims = Number(flags.dims);
const folder = mkdtempSync(path.join(tmpdir(), "svc-meaning-"));
const goals = new Goals();
try {
  if (flags.provider !== undefined && flags.model !== undefined) {
    const provider = { baseUrl: flags.provider, model: flags.model, dims };
    await measureModel(folder, provider, Number(flags.issues ?? 20_000));
  } else if (flags.before !== undefined) {
    await measureWithout(folder, goals, { commit: flags.before, rounds: Number(flags.rounds) });
  } else {
    const [issues, searches] = [Number(flags.issues ?? 100_000), Number(flags.searches)];
    const home = flags.home ?? path.join(folder, "home");
    await measureMeaning(home, goals, { issues, dims, searches, on: flags.on });
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
goals.end();
