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
  svc cron job list --json |
    json 'it.jobs.filter(({ definition: { enabled, action } }) => enabled && action.kind === "execute")'
}

# When the job is due next: by its clock, or by the date of its issue. A time that comes only once and has passed
# before anybody looked is due still.
remember() { # job
  local at
  at=$(svc cron job preview "$(field "$1" uid)" -n 1 --json | json 'it.occurrences[0]?.at ?? "never"') || return 0
  [[ $at == never ]] && { at=$(passed "$1") || return 0; }
  printf '%s %s\n' "$(field "$1" definition_event_uid)" "$at" >"$state/$(field "$1" uid)"
}

# The one time of the job that has passed and was not run, or never.
passed() { # job
  local at done=$state/$(field "$1" uid).once
  case $(field "$1" definition.trigger.kind) in
    once) at=$(json 'new Date(it.definition.trigger.at).toISOString().slice(0, 19) + "Z"' <<<"$1") ;;
    issue-scheduled)
      at=$(svc show "$(field "$1" definition.trigger.issue_uid)" --planning-dates |
        json 'it.scheduled_on?.instant?.slice(0, 19).concat("Z")') || return 1
      ;;
    *) at="" ;;
  esac
  if [[ -z $at || $(cat "$done" 2>/dev/null) == "$at" || $(is_too_late "$1" "$at") == true ]]; then
    echo never
  else
    echo "$at"
  fi
}

# With the policy skip nothing runs that is older than its grace.
is_too_late() { # job, when it was due
  json 'it.definition.catchup === "skip" &&
    Date.now() - Date.parse(args[0]) > (it.definition.grace_seconds ?? 0) * 1000' "$2" <<<"$1"
}

# A parked or closed issue, or one that is planned for later, is not worked on yet.
is_workable() { # issue uid
  local open due
  open=$(svc show "$1" --json | json 'it.issue.status === "open" && it.issue.metadata.someday !== true') || return 1
  due=$(svc show "$1" --planning-dates | json '(it.scheduled_on?.instant ?? "") <= args[0]' "$(now)") || return 1
  [[ $open == true && $due == true ]]
}

# The issue that the job works on: the one it names, or a new one for this run, with its dates. The same time asks for
# the same issue, however often it is tried.
issue_of() { # job, when it was due
  local title body dates
  if [[ $(field "$1" definition.issue.kind) == existing ]]; then
    field "$1" definition.issue.uid
    return
  fi
  title=$(field "$1" definition.issue.title)
  body=$(field "$1" definition.issue.body)
  dates=$(json '["scheduled", "deadline"].flatMap((date) => {
    const offset = it.definition.issue[`${date}_offset_seconds`];
    const at = new Date(Date.parse(args[0]) + (offset ?? 0) * 1000).toISOString();
    return offset === undefined ? [] : [`--meta`, `${date}_on=${at.slice(0, 19)}Z`];
  })' "$2" <<<"$1")
  # shellcheck disable=SC2086 # words of their own, none of which has a space
  svc create "$title" --body "$body" --force-new --idempotency-key "$(field "$1" uid):$2" $dates --json |
    json it.issue.uid
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
  local job=$1 at=$2 issue run identity started status=succeeded log=$state/log begun
  begun=$state/$(field "$1" uid).begun
  shift 2
  issue=$(issue_of "$job" "$at") || return 1
  [[ -n $issue ]] || return 1
  is_workable "$issue" || return 1
  # A run that could not be recorded, or was cut off, is tried again as the same run.
  if ! read -r run started <<<"$(sed -n "s/^$at //p" "$begun" 2>/dev/null)" || [[ -z $run ]]; then
    run=$(new_uid)
    started=$(now)
    printf '%s %s %s\n' "$at" "$run" "$started" >"$begun"
  fi
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
  rm -f "$begun"
  printf '%s' "$at" >"$state/$(field "$job" uid).once"
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
