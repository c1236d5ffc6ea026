import { expect, test } from "vitest";
import { readRepository, repositoriesAt } from "../../src/shared/issue-sync.ts";

test.each([
  ["ann/web", { owner: "ann", repo: "web" }],
  [" ann/web ", { owner: "ann", repo: "web" }],
  ["web", undefined],
  ["/web", undefined],
  ["ann/", undefined],
  ["ann/web/x", undefined],
  ["ann/we b", undefined],
])("%j names the repository %j", (text, repository) => {
  expect(readRepository(text)).toEqual(repository);
});

const git = (alias_identity: string) => ({ alias_identity, alias_kind: "git" });

test("the repositories at a host are those of the git remotes there, each once", () => {
  const aliases = [
    git("github.com/ann/web"),
    git("github.com/Ann/Web"),
    git("github.com/ann/web/wiki"),
    git("github.com.evil.example/ann/web"),
    git("git.example.com/ann/site"),
    { alias_identity: "github.com/ann/local", alias_kind: "local" },
  ];
  expect(repositoriesAt(aliases)).toEqual(["Ann/Web"]);
  expect(repositoriesAt(aliases, "Git.Example.com")).toEqual(["ann/site"]);
  expect(repositoriesAt([], "github.com")).toEqual([]);
});
