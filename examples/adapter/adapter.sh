#!/usr/bin/env bash
# A reference adapter: runs the execution jobs of the project of this folder when they are due, and records each run
# with svc. It needs svc, jq and bash; what it does and leaves out is told in README.md.
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

now() { date -u +%Y-%m-%dT%H:%M:%SZ; }

# Any ULID will do. A run keeps its uid: recorded again after a lost answer, it is the same run.
new_uid() { printf '0%s' "$(LC_ALL=C tr -dc '0-9A-HJKMNP-TV-Z' </dev/urandom | head -c 25)"; }

# Jobs that notify belong to the daemon, and so do the dates it asks about by itself.
jobs_to_run() {
  svc cron job list | jq -c '.jobs[] | select(.definition.enabled and .definition.action.kind == "execute")'
}

# When the job is due next: by its clock, or by the date of its issue.
remember() { # job
  local at
  at=$(svc cron job preview "$(field "$1" .uid)" -n 1 --json | jq -r '.occurrences[0].at // "never"') || return 0
  printf '%s %s\n' "$(field "$1" .definition_event_uid)" "$at" >"$state/$(field "$1" .uid)"
}

field() { jq -r "$2 // empty" <<<"$1"; }

# A parked or closed issue, or one that is planned for later, is not worked on yet.
is_workable() { # issue uid
  svc show "$1" --json | jq -e '.issue.status == "open" and .issue.metadata.someday != true' >/dev/null &&
    svc show "$1" --planning-dates | jq -e --arg now "$(now)" '(.scheduled_on.instant // "") <= $now' >/dev/null
}

# The issue that the job works on: the one it names, or a new one for this run.
issue_of() { # job
  local title body
  if [[ $(field "$1" .definition.issue.kind) == existing ]]; then
    field "$1" .definition.issue.uid
    return
  fi
  title=$(field "$1" .definition.issue.title)
  body=$(field "$1" .definition.issue.body)
  svc create "$title" --body "$body" --force-new --json | jq -r .issue.uid
}

# The steps of the job, each as JSON with a command or a prompt.
steps_of() { # job
  local workflow
  workflow=$(field "$1" .definition.action.workflow_uid)
  if [[ -z $workflow ]]; then
    jq -c '{prompt: .definition.action.prompt}' <<<"$1"
  else
    svc cron workflow show "$workflow" | jq -c '.workflow.definition.steps[]'
  fi
}

run_step() { # step, the command and its arguments
  local step=$1 tries
  shift
  tries=$(jq -r '(.retries // 0) + 1' <<<"$step")
  for ((; tries > 0; tries--)); do
    if [[ -n $(field "$step" .command) ]]; then
      bash -c "$(field "$step" .command)" </dev/null && return
    else
      field "$step" .prompt | "$@" && return
    fi
  done
  return 1
}

# What is known of a run; the same again changes nothing.
observe() { # run uid, what it is (JSON), revision, status, message, started, ended
  jq -n --argjson identity "$2" --argjson revision "$3" --arg status "$4" --arg message "$5" \
    --arg started "$6" --arg ended "$7" \
    '$identity + {expected_revision: $revision, status: $status, started_at: $started}
      + {summary: {version: 1, message: $message}}
      + (if $ended == "" then {} else {ended_at: $ended} end)' >"$state/observation.json"
  svc cron run observe "$1" --json-input "$state/observation.json" >/dev/null
}

run_job() { # job, when it was due, the command and its arguments
  local job=$1 at=$2 issue run identity started status=succeeded log=$state/log
  shift 2
  issue=$(issue_of "$job")
  is_workable "$issue" || return 1
  run=$(new_uid)
  started=$(now)
  identity=$(jq -c --arg at "$at" --arg issue "$issue" '{
    job_uid: .uid, definition_event_uid: .definition_event_uid,
    issue_uid: $issue, occurrence_key: "\(.uid):\($at)", executor_label: "reference adapter"
  }' <<<"$job")
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
  echo "$(field "$job" .name) due $at: $status"
}

pass() { # the command and its arguments
  local job event at
  while read -r job; do
    event="" at=never
    [[ -f $state/$(field "$job" .uid) ]] && read -r event at <"$state/$(field "$job" .uid)"
    # A changed definition begins anew, and a time that is still to come is looked up again: its date may have moved.
    if [[ $event == "$(field "$job" .definition_event_uid)" && $at != never && ! $at > $(now) ]]; then
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
