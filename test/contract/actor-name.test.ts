import { expect, test } from "vitest";
import { brokenActorRule } from "../../src/contract/actor-name.ts";

test.each([
  "ann",
  "Ann Example",
  "ann@example.com",
  "agent:claude/3",
  "José",
  "日本語",
  "عمر",
  "👩",
  "Bootstrap",
  "bootstrapper",
  "me",
  "systemd",
  "constructor",
  "__proto__",
])("%j can be the name of an actor", (name) => {
  expect(brokenActorRule(name)).toBeUndefined();
});

test.each([
  ["\u200b", /blank/],
  [" \u2800", /blank/],
  ["ann\nbea", /control/],
  ["ann\u001b[31m", /control/],
  ["ann\u0085", /control/],
  ["ann\u202e", /U\+202E/],
  ["\u2066ann\u2069", /U\+2066/],
  ["an\u200bn", /U\+200B/],
  ["ann\u200f", /U\+200F/],
  ["ann\u061c", /U\+061C/],
  ["a\u00adnn", /U\+00AD/],
  ["ann\ufeff", /U\+FEFF/],
  ["ann\ufe0f", /U\+FE0F/],
  ["ann\u{e0041}", /U\+E0041/],
  ["ann\u3164", /U\+3164/],
  ["ann\u00a0bea", /U\+00A0/],
  ["ann\u2028bea", /U\+2028/],
  ["ann\ud800", /U\+D800/],
  ["bootstrap", /must not be bootstrap/],
  ["system", /must not be system/],
  ["connector:", /must not begin with connector:/],
  ["connector:notes", /must not begin with connector:/],
  ["connector:é", /must not begin with connector:/],
  ["@me", /must not be @me/],
])("%j cannot be the name of an actor, and the rule says why", (name, says) => {
  expect(brokenActorRule(name)).toMatch(says);
});
