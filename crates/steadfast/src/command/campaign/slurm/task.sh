#!/bin/sh
# One run of a campaign, as a task of a job array: PROGRAM PLAN DIR PATHS NUMBER-OF-TASK-0
number=$(($5 + SLURM_ARRAY_TASK_ID))
exec "$1" campaign "$2" --only "$number" --paths "$4" --out "$3/$number" > "$3/$number.log" 2>&1
