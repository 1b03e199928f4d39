//! A mass on a spring, pushed by its input: x'' = u - x' - 100 x. The output is its position.

mod steadfast_model;

use steadfast_model::Model;

const STIFFNESS: f64 = 100.0;
const DAMPING: f64 = 1.0;

fn main() {
    let mut model = Model::attach(1, 1).expect("start it with: steadfast run model --program ./plant");
    let (mut position, mut velocity) = (1.0, 0.0);
    while model.wait() {
        let acceleration = model.inputs()[0] - DAMPING * velocity - STIFFNESS * position;
        velocity += model.h_s() * acceleration;
        position += model.h_s() * velocity;
        model.outputs()[0] = position;
        model.done(0);
    }
}
