import { stemOf } from "./stem.ts";

/**
 * English words that people use for the same thing in software projects, one group on each line. The list was written
 * for svc. A word may be in several groups. Synonyms only raise the score of issues that another word found, so they
 * need no lookup of their own.
 */
const GROUPS = `
crash panic abort segfault die
error failure fault exception problem
bug defect fault issue
slow performance latency sluggish lag
fast quick speed performance
optimize optimise performance speed cache
delete remove drop erase purge discard prune
add create new make introduce
change modify edit update alter
fix repair correct resolve heal
show display print render view output
list enumerate show
find search look query discover locate
copy duplicate clone replicate
same duplicate identical equal
combine merge join squash batch consolidate
split separate divide break refactor extract
start launch begin boot spawn run
stop halt end quit exit terminate shutdown kill
finish complete done close end
open reopen
wait block pause hang stuck
available ready unblocked
old stale outdated obsolete legacy deprecated
missing absent lost gone
wrong incorrect invalid bad broken
picture diagram graph image visual chart
log record track trace audit
measure benchmark time profile
silent quiet swallow ignore suppress
hide collapse fold
message mail text notification
directory folder path
option flag setting config configuration preference parameter argument
user people person human developer
supervisor manager parent
task issue ticket item bug story
test check verify validate ensure
repository repo project checkout
save store persist keep write
permission access right approval authorization
secret password token credential auth login
network connection socket
parallel concurrent simultaneous race
conflict collision clash merge
loop cycle circular recursion
empty blank none null nil
limit maximum threshold cap bound
big large huge long oversized
small short tiny
type kind class category
tag label
struct record object type
field member attribute property column
function method routine helper
call invoke
documentation doc manual guide readme help wiki
instruction guideline step
version release
publish ship deploy release
install setup init bootstrap
upgrade migrate migration convert conversion
download fetch pull
upload push send
read load parse
export dump
import ingest load
database db sqlite storage
schema table
id identifier name key
prefix begin
terminal console shell screen tty
status state
priority importance urgency severity
date time timestamp day
expire timeout deadline ttl
background daemon service server
automatic auto automatically automate
notify alert warn signal announce
inconsistent mismatch diverge differ disagree drift
refuse reject deny prevent
map dictionary hash
temporary temp tmp leftover orphan
synchronise synchronize sync synchronisation synchronization
rename move
undo revert rollback restore
allow let support enable permit
disable off
process subprocess
many multiple several various
environment variable env
constant hardcode
adjust configure configurable tune
report summary
format formatting layout
readable readability clear
mac macos darwin apple
windows win32
linux unix
platform os system
machine host computer
assistant agent ai bot model
plugin extension integration addon
link reference pointer redirect
depend dependency blocker prerequisite
child subtask nested descendant
parent epic ancestor
commit change revision
branch worktree
author owner creator assignee
unused dead unreachable
cleanup clean tidy
input stdin argument
response answer reply result
request query call
count number total
sort order rank
filter narrow restrict
schedule cron timer periodic
retry repeat again
lock mutex race
memory ram leak
encode encoding escape charset unicode
quote escape
security vulnerability unsafe
random flaky intermittent unstable
consistent standardize uniform unify
mock stub fake
review inspect
`;

export function synonymsOf(word: string): readonly string[] {
  groups ??= groupsByStem();
  const stem = stemOf(word);
  const others = (groups.get(stem) ?? []).flatMap(({ group }) => group);
  return [...new Set(others)].filter((one) => stemOf(one) !== stem).flatMap(inflectionsOf);
}

let groups: ReturnType<typeof groupsByStem> | undefined;

function groupsByStem() {
  const lines = GROUPS.trim().split("\n");
  const members = lines.flatMap((line) => {
    const group = line.split(" ");
    return group.map((word) => ({ stem: stemOf(word), group }));
  });
  return Map.groupBy(members, ({ stem }) => stem);
}

/** Returns possible forms of an English word. Forms that do not exist do no harm, because no text has them. */
function inflectionsOf(word: string): readonly string[] {
  const base = word.replace(/[ey]$/, "");
  const doubled = word + word.slice(-1);
  return [
    word,
    ...["s", "es", "ed", "ing"].map((ending) => word + ending),
    ...["ed", "es", "ing", "ies", "ied", "ion", "ions"].map((ending) => base + ending),
    ...["ed", "ing"].map((ending) => doubled + ending),
  ];
}
