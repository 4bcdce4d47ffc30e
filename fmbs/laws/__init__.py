"""Laws of contact, friction, film and wear: pure functions of arrays that know no body."""
