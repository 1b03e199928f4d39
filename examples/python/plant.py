"""A mass on a spring, pushed by its input: x'' = u - x' - 100 x. The output is its position."""

import steadfast_model

STIFFNESS, DAMPING = 100.0, 1.0

position, velocity = 1.0, 0.0
model = steadfast_model.attach(inputs=1, outputs=1)
while model.wait():
    acceleration = model.inputs[0] - DAMPING * velocity - STIFFNESS * position
    velocity += model.h_s * acceleration
    position += model.h_s * velocity
    model.outputs[0] = position
    model.done()
