# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Steps that are timed and shown in a table at the end. To be sourced after common.sh.

step_lines=()
step_status=0 # of the last step

# run_step <name> <command>...: returns the status of the command, also in step_status.
run_step() {
  local name=$1 begin=$SECONDS
  shift
  step_status=0
  "$@" || step_status=$?
  record_step "$name" $((SECONDS - begin)) "$( ((step_status == 0)) || echo "failed ($step_status)")"
  return $step_status
}

# record_step <name> <seconds or nothing> <remark>: a line of the table.
record_step() {
  local time=
  [[ ! $2 ]] || printf -v time '%d:%02d' $(($2 / 60)) $(($2 % 60))
  step_lines+=("$(printf '%-36s %6s' "$1" "$time")${3:+  $3}")
}

show_steps() {
  say "Time (min:s)"
  ((${#step_lines[@]} == 0)) || printf '   %s\n' "${step_lines[@]}"
  printf '   %-36s %6s\n' all "$(printf '%d:%02d' $((SECONDS / 60)) $((SECONDS % 60)))"
}
