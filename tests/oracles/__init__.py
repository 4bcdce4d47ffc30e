"""Reference solutions for the tests, in plain numpy/scipy. They share no code with fmbs.

Conventions of every planar oracle: gravity g > 0 acts along -y; angles and moments are positive counter-clockwise (+z);
the angle of a rod is that of the vector from its first to its second end, measured from the +x axis; the centre of mass
of a rod is its mid-point and J is its inertia about that centre. A force named `a_on_b` acts on b, in global axes.
Arrays over time have time as their first axis; initial values hold at t = 0.
"""
