//! A controller that moves its plant to position 0: the input is the position, the output is the force.

mod steadfast_model;

use steadfast_model::Model;

const P: f64 = 400.0;
const D: f64 = 20.0;

fn main() {
    let mut model = Model::attach(1, 1).expect("start it with: steadfast run model --program ./controller");
    let mut last_position = 1.0;
    while model.wait() {
        let position = model.inputs()[0];
        let speed = (position - last_position) / model.h_s();
        model.outputs()[0] = -P * position - D * speed;
        last_position = position;
        model.done(0);
    }
}
