"""Laws of contact and friction: functions of depth, rate and slip that know no body."""
