"""Laws of contact, friction, film and wear: functions of depths, slips and gaps that know no body."""
