use tire::*;
fn main() {
    let a: Vec<String> = std::env::args().collect();
    let model: Model = a[1].parse().unwrap();
    let masses: usize = a[2].parse().unwrap();
    let precision: Precision = a[3].parse().unwrap();
    let mut p = Parameters::default();
    for kv in &a[4..] {
        let (k, v) = kv.split_once('=').unwrap();
        let v: f64 = v.parse().unwrap();
        match k {
            "k" => p.stiffness = v,
            "c" => p.damping = v,
            "e" => p.restitution = v,
            "d" => p.drop = v,
            _ => panic!(),
        }
    }
    let setup = Setup {
        model,
        masses,
        precision,
        parameters: p,
        ..Default::default()
    };
    let mut w = prepare(&setup).unwrap();
    for frame in 0..=60 {
        let s = State::gather(&w);
        let (mut x0, mut x1, mut y0, mut y1) = (f64::MAX, f64::MIN, f64::MAX, f64::MIN);
        for m in s.masses() {
            x0 = x0.min(m.position[0]);
            x1 = x1.max(m.position[0]);
            y0 = y0.min(m.position[1]);
            y1 = y1.max(m.position[1]);
        }
        let worst = s.check().err().map(|e| e.to_string()).unwrap_or_default();
        if frame < 30 || frame % 10 == 0 {
            println!(
                "{:5.1} x {x0:8.4} {x1:8.4} y {y0:8.4} {y1:8.4} E {:.6e} {:016x} {worst}",
                s.time(),
                s.energy(),
                s.hash()
            );
        }
        w[0].run(if frame < 30 { 10 } else { 190 }).unwrap();
    }
}
