"""A controller that moves its plant to position 0: the input is the position, the output is the force."""

import steadfast_model

P, D = 400.0, 20.0

last_position = 1.0
model = steadfast_model.attach(inputs=1, outputs=1)
while model.wait():
    position = model.inputs[0]
    speed = (position - last_position) / model.h_s
    model.outputs[0] = -P * position - D * speed
    last_position = position
    model.done()
