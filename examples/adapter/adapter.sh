#!/usr/bin/env bash
# A reference adapter: runs the execution jobs of the project of this folder when they are due, and records each run
# with svc. It needs svc, the node that svc runs on, and bash; what it does and leaves out is told in README.md.
#
#   adapter.sh <command> [argument...]   the command reads a prompt from standard input; SVC_ISSUE_UID names the issue
#   ADAPTER_STATE   folder in which it remembers when each job is due (.svc-adapter)
#   ADAPTER_EVERY   seconds between two passes (30); 0 for one pass alone
set -euo pipefail
(($# > 0)) || {
  echo "usage: adapter.sh <command> [argument...]" >&2
  exit 2
}
state=${ADAPTER_STATE:-.svc-adapter}
every=${ADAPTER_EVERY:-30}
mkdir -p "$state"

# json <expression> [argument...]: prints what JavaScript finds in `it`, the JSON on standard input: each of a list on
# a line of its own, texts as they are, nothing for null.
json() {
  node -e '
    const { readFileSync } = require("node:fs");
    const [expression, ...args] = process.argv.slice(1);
    const it = JSON.parse(readFileSync(0, "utf8"));
    for (const found of [new Function("it", "args", `return ${expression}`)(it, args) ?? []].flat())
      console.log(typeof found === "string" ? found : JSON.stringify(found));
  ' "$@"
}

field() { json "it.$2" <<<"$1"; } # JSON, path

now() { date -u +%Y-%m-%dT%H:%M:%SZ; }

# Any ULID will do. A run keeps its uid: recorded again after a lost answer, it is the same run.
new_uid() { printf '0%s' "$(LC_ALL=C tr -dc '0-9A-HJKMNP-TV-Z' </dev/urandom | head -c 25)"; }

# Jobs that notify belong to the daemon, and so do the dates it asks about by itself.
jobs_to_run() {
  svc cron job list |
    json 'it.jobs.filter(({ definition: { enabled, action } }) => enabled && action.kind === "execute")'
}

# When the job is due next: by its clock, or by the date of its issue.
remember() { # job
  local at
  at=$(svc cron job preview "$(field "$1" uid)" -n 1 --json | json 'it.occurrences[0]?.at ?? "never"') || return 0
  printf '%s %s\n' "$(field "$1" definition_event_uid)" "$at" >"$state/$(field "$1" uid)"
}

# A parked or closed issue, or one that is planned for later, is not worked on yet.
is_workable() { # issue uid
  local open due
  open=$(svc show "$1" --json | json 'it.issue.status === "open" && it.issue.metadata.someday !== true') || return 1
  due=$(svc show "$1" --planning-dates | json '(it.scheduled_on?.instant ?? "") <= args[0]' "$(now)") || return 1
  [[ $open == true && $due == true ]]
}

# The issue that the job works on: the one it names, or a new one for this run.
issue_of() { # job
  local title body
  if [[ $(field "$1" definition.issue.kind) == existing ]]; then
    field "$1" definition.issue.uid
    return
  fi
  title=$(field "$1" definition.issue.title)
  body=$(field "$1" definition.issue.body)
  svc create "$title" --body "$body" --force-new --json | json it.issue.uid
}

# The steps of the job, each as JSON with a command or a prompt.
steps_of() { # job
  local workflow
  workflow=$(field "$1" definition.action.workflow_uid)
  if [[ -z $workflow ]]; then
    json '{ prompt: it.definition.action.prompt }' <<<"$1"
  else
    svc cron workflow show "$workflow" | json it.workflow.definition.steps
  fi
}

run_step() { # step, the command and its arguments
  local step=$1 tries
  shift
  tries=$(json '(it.retries ?? 0) + 1' <<<"$step")
  for ((; tries > 0; tries--)); do
    if [[ -n $(field "$step" command) ]]; then
      bash -c "$(field "$step" command)" </dev/null && return
    else
      field "$step" prompt | "$@" && return
    fi
  done
  return 1
}

# What is known of a run; the same again changes nothing.
observe() { # run uid, what it is (JSON), revision, status, message, started, ended
  json '{
    ...it, expected_revision: Number(args[0]), status: args[1], summary: { version: 1, message: args[2] },
    started_at: args[3], ended_at: args[4] || undefined,
  }' "${@:3}" <<<"$2" >"$state/observation.json"
  svc cron run observe "$1" --json-input "$state/observation.json" >/dev/null
}

run_job() { # job, when it was due, the command and its arguments
  local job=$1 at=$2 issue run identity started status=succeeded log=$state/log
  shift 2
  issue=$(issue_of "$job")
  is_workable "$issue" || return 1
  run=$(new_uid)
  started=$(now)
  identity=$(json '{
    job_uid: it.uid, definition_event_uid: it.definition_event_uid,
    issue_uid: args[0], occurrence_key: `${it.uid}:${args[1]}`, executor_label: "reference adapter",
  }' "$issue" "$at" <<<"$job")
  observe "$run" "$identity" 0 running "" "$started" "" || return 1
  export SVC_ISSUE_UID=$issue
  : >"$log"
  while read -r step; do
    run_step "$step" "$@" >>"$log" 2>&1 || {
      status=failed
      break
    }
  done < <(steps_of "$job")
  observe "$run" "$identity" 1 "$status" "$(tail -c 1000 "$log")" "$started" "$(now)" ||
    echo "the end of run $run was not recorded" >&2
  echo "$(field "$job" name) due $at: $status"
}

pass() { # the command and its arguments
  local job event at
  while read -r job; do
    event="" at=never
    [[ -f $state/$(field "$job" uid) ]] && read -r event at <"$state/$(field "$job" uid)"
    # A changed definition begins anew, and a time that is still to come is looked up again: its date may have moved.
    if [[ $event == "$(field "$job" definition_event_uid)" && $at != never && ! $at > $(now) ]]; then
      run_job "$job" "$at" "$@" </dev/null || continue
    fi
    remember "$job"
  done < <(jobs_to_run)
}

while true; do
  pass "$@"
  [[ $every == 0 ]] && break
  sleep "$every"
done
