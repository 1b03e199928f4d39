//! Recording of the masses after every step, so that users can check the physics.

use std::fmt::Write;

use bench::columns::{Columns, Kinds};
use bench::shape::{Holds, TrackShape};
use record::{Recording, RunSpec, Track};
use tire::{Setup, State, Worker};

use super::parameters::setup;

/// Maximum number of mass states in one recording: 16 MB of memory, some 100 MB as text.
const MOST_STATES: u64 = 500_000;
const BYTES: u64 = 32;
/// Bits of the position in metres and of the displacement per step in metres, as integers.
const COLUMNS: Kinds<4> =
    [("x_m_bits", BITS), ("y_m_bits", BITS), ("u_m_bits", BITS), ("v_m_bits", BITS)];
const BITS: Holds = Holds::Bits;
/// The column with the numbers of a thread's masses, in the order of the other columns.
const MASSES: &str = "masses";

const HEAD: &str = "step,time_s,mass,mass_kg,x_m,y_m,vx_m_per_s,vy_m_per_s,force_x_n,force_y_n,\
                    motion_j,height_j,springs_j";

/// Records one thread's masses in memory that is allocated before the first step.
pub(super) struct Recorder {
    masses: Vec<usize>,
    columns: Columns<4>,
}

pub(super) fn bytes(spec: &RunSpec) -> u64 {
    if spec.record { states(spec).saturating_mul(BYTES) } else { 0 }
}

/// Returns the number of recorded states: the first one and one after each step, for each mass.
fn states(spec: &RunSpec) -> u64 {
    let (steps, masses) = (spec.parameters.steps(), spec.parameters.masses());
    let hub = u64::from(spec.parameters.model() == "central");
    steps.saturating_add(1).saturating_mul(masses.saturating_add(hub))
}

pub(super) fn check(spec: &RunSpec, setup: &Setup) -> Result<(), String> {
    if !spec.record {
        return Ok(());
    }
    let states = states(spec);
    if states > MOST_STATES {
        return Err(format!(
            "--record: {states} states (masses x steps, and the first), but at most \
             {MOST_STATES} can be recorded; use lower --masses or --steps"
        ));
    }
    if setup.substeps != 1 {
        return Err("--record: only the last sub-step is recorded, so no step could be \
                    checked; use --substeps 1"
            .to_owned());
    }
    if !setup.solver.is_exact(setup.threads) {
        return Err(format!(
            "--record: the threads of the {} solver do not wait for each other, so the masses of \
             a step never exist at the same time; use --threads 1 or another --solver",
            setup.solver.name()
        ));
    }
    Ok(())
}

impl Recorder {
    /// Contains the first state of a settled worker; `None` if nothing is recorded.
    pub(super) fn of(spec: &RunSpec, worker: &Worker) -> Option<Self> {
        if !spec.record {
            return None;
        }
        let masses: Vec<usize> = worker.own().into_iter().flatten().collect();
        let states = (spec.parameters.steps() + 1) * masses.len() as u64;
        let columns = Columns::with_room(&COLUMNS, states);
        let mut recorder = Self { masses, columns };
        recorder.after(worker);
        Some(recorder)
    }

    /// Records the state after a step without waiting or allocating.
    #[inline]
    pub(super) fn after(&mut self, worker: &Worker) {
        for mass in &self.masses {
            self.columns.push(worker.mass(*mass).map(f64::to_bits));
        }
    }

    pub(super) fn onto(&self, track: Track) -> Track {
        let masses = self.masses.iter().map(|mass| *mass as i64).collect();
        self.columns.onto(track.column(MASSES, masses))
    }
}

pub(super) fn shape(spec: &RunSpec, shape: TrackShape) -> TrackShape {
    if !spec.record {
        return shape;
    }
    let states = states(spec);
    shape.rows(states, &[(MASSES, Holds::UpTo(states))]).rows(states, &COLUMNS)
}

/// Positions, velocities, forces and energies of every mass, below two lines that describe them.
pub(super) fn recorded_steps(recording: &Recording) -> Result<String, String> {
    let setup = setup(&recording.header.spec)?;
    let threads = recording.tracks.iter();
    let threads: Vec<&Track> = threads.filter(|t| !t.values(MASSES).is_empty()).collect();
    let steps = |track: &&Track| track.values(COLUMNS[0].0).len() / track.values(MASSES).len();
    let steps = threads.iter().map(steps).min();
    let steps = steps.ok_or_else(|| "--record: the run returned no states".to_owned())?;
    let mut text = about(&recording.header.spec, &setup);
    for step in 0..steps {
        write_step(&mut text, &state(&setup, &threads, step), step);
    }
    Ok(text)
}

fn about(spec: &RunSpec, setup: &Setup) -> String {
    let p = &setup.parameters;
    format!(
        "# {}: h = {} s, k = {} N/m, c = {} N s/m, g = {} m/s2, restitution = {}, radius = {} m\n\
         # Each step: x <- x + h v; v <- v + h F / m; below the floor y <- 0 and vy <- max(vy, \
         -restitution vy). Forces are those at the positions and velocities of the same line, \
         computed after the run, without the floor; springs_j is half of the energy of each spring \
         at the mass. Recording takes time: measure times in a run without it.\n{HEAD}\n",
        spec.title(),
        p.step,
        p.stiffness,
        p.damping,
        p.gravity,
        p.restitution,
        p.radius,
    )
}

fn state(setup: &Setup, threads: &[&Track], step: usize) -> State {
    let all = setup.model.masses_with_hub(setup.masses);
    let mut masses = vec![[f64::NAN; 4]; all];
    for track in threads {
        let own = track.values(MASSES);
        let columns = COLUMNS.map(|(name, _)| track.values(name));
        for (place, mass) in own.iter().enumerate() {
            let bits = |column: &[i64]| column.get(step * own.len() + place).copied();
            let number = |column| bits(column).map_or(f64::NAN, |bits| f64::from_bits(bits as u64));
            if let Some(known) = usize::try_from(*mass).ok().and_then(|i| masses.get_mut(i)) {
                *known = columns.map(number);
            }
        }
    }
    State::recorded(setup, step as u64, masses)
}

fn write_step(text: &mut String, state: &State, step: usize) {
    let (forces, energies) = (state.forces(), state.energies());
    let of_masses = state.masses().zip(state.weights()).zip(forces.iter().zip(&energies));
    for (mass, ((at, weight), (force, energy))) in of_masses.enumerate() {
        let [x, y] = at.position;
        let [vx, vy] = at.velocity;
        let [fx, fy] = force;
        let [motion, height, springs] = energy;
        // Writing to a string does not fail.
        let _ = writeln!(
            text,
            "{step},{:?},{mass},{weight:?},{x:?},{y:?},{vx:?},{vy:?},{fx:?},{fy:?},{motion:?},\
             {height:?},{springs:?}",
            state.time()
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_runs::{set, spec_with};
    use crate::tire::Tire;
    use bench::made_run::recording;
    use bench::{Bench, Measurement};

    const MASSES: usize = 40;
    const STEPS: usize = 80;

    /// A recorded run of a small tire that falls onto the floor.
    fn small(mode: &str, solver: &str, threads: &str) -> RunSpec {
        let mut spec =
            spec_with("tire", &[("mode", mode), ("solver", solver), ("threads", threads)]);
        let (masses, steps) = (MASSES.to_string(), STEPS.to_string());
        set(&mut spec, &[("masses", &masses), ("steps", &steps)]);
        set(&mut spec, &[("rate", "1kHz"), ("overrun", "catch-up")]);
        spec.record = true;
        spec
    }

    fn recorded_text(spec: &RunSpec) -> String {
        let tracks = Tire.run(&Bench::new(spec.clone())).unwrap();
        recorded_steps(&recording(spec.clone(), tracks)).unwrap()
    }

    /// A line of the file, read by the names of its columns.
    #[derive(Debug, Clone, Copy)]
    struct Line {
        at: [f64; 2],
        speed: [f64; 2],
        force: [f64; 2],
        energy: f64,
    }

    /// Reads the lines of each step, mass by mass.
    fn steps(text: &str) -> Vec<Vec<Line>> {
        let mut lines = text.lines().filter(|line| !line.starts_with('#'));
        let names: Vec<&str> = lines.next().unwrap().split(',').collect();
        let place = |name: &str| names.iter().position(|known| *known == name).unwrap();
        let mut steps: Vec<Vec<Line>> = Vec::new();
        for line in lines {
            let cells: Vec<f64> = line.split(',').map(|cell| cell.parse().unwrap()).collect();
            let of = |name: &str| cells[place(name)];
            assert_eq!(of("mass_kg"), 0.001);
            let step = of("step") as usize;
            assert!((of("time_s") - step as f64 * 0.01).abs() < 1e-12);
            steps.resize(steps.len().max(step + 1), Vec::new());
            assert_eq!(steps[step].len() as f64, of("mass"));
            steps[step].push(Line {
                at: [of("x_m"), of("y_m")],
                speed: [of("vx_m_per_s"), of("vy_m_per_s")],
                force: [of("force_x_n"), of("force_y_n")],
                energy: of("motion_j") + of("height_j") + of("springs_j"),
            });
        }
        steps
    }

    fn recorded(spec: &RunSpec) -> Vec<Vec<Line>> {
        let steps = steps(&recorded_text(spec));
        assert!(steps.iter().all(|masses| masses.len() == MASSES));
        steps
    }

    fn is_near(left: f64, right: f64) -> bool {
        (left - right).abs() <= 1e-9 * (1.0 + left.abs())
    }

    /// Checks x' = x + h v, v' = v + h F / m, then the floor, only from columns of the file.
    fn is_a_step(from: &Line, to: &Line) -> bool {
        const H: f64 = 0.01;
        let moved = |axis: usize| from.at[axis] + H * from.speed[axis];
        let pushed = |axis: usize| from.speed[axis] + H * from.force[axis] / 0.001;
        let fall = if moved(1) < 0.0 { pushed(1).max(-0.5 * pushed(1)) } else { pushed(1) };
        is_near(moved(0), to.at[0])
            && is_near(moved(1).max(0.0), to.at[1])
            && is_near(pushed(0), to.speed[0])
            && is_near(fall, to.speed[1])
    }

    /// Computes the energy of springs (1 N/m), weight and motion from positions and velocities only.
    fn energy(masses: &[Line]) -> f64 {
        let apart = |a: usize, b: usize| {
            let (a, b) = (masses[a % MASSES].at, masses[b % MASSES].at);
            (b[0] - a[0]).hypot(b[1] - a[1])
        };
        let side = 0.6 * (std::f64::consts::PI / MASSES as f64).sin();
        let sides = (0..MASSES).map(|i| apart(i, i + 1) - side);
        let spokes = (0..MASSES / 2).map(|i| apart(i, i + MASSES / 2) - 0.6);
        let springs: f64 = sides.chain(spokes).map(|stretch| stretch * stretch / 2.0).sum();
        let of_mass = |line: &Line| {
            let [vx, vy] = line.speed;
            0.001 * ((vx * vx + vy * vy) / 2.0 + 9.81 * line.at[1])
        };
        springs + masses.iter().map(of_mass).sum::<f64>()
    }

    #[test]
    fn each_step_and_the_energy_follow_from_the_columns_in_both_modes_and_all_solvers() {
        for (mode, solver, threads) in [
            ("real-fast", "semaphore", "1"),
            ("real-fast", "barrier", "2"),
            ("real-fast", "simd", "2"),
            ("real-fast", "fused", "1"),
            ("real-time", "semaphore-exact", "2"),
            ("real-time", "simd", "1"),
        ] {
            let steps = recorded(&small(mode, solver, threads));
            assert_eq!(steps.len(), STEPS + 1, "{mode} {solver}");
            let energies: Vec<f64> =
                steps.iter().map(|masses| masses.iter().map(|l| l.energy).sum()).collect();
            for (number, pair) in steps.windows(2).enumerate() {
                for (mass, (from, to)) in pair[0].iter().zip(&pair[1]).enumerate() {
                    assert!(
                        is_a_step(from, to),
                        "{solver}, step {number}, mass {mass}: {from:?} {to:?}"
                    );
                }
                assert!(is_near(energies[number], energy(&pair[0])), "{solver}, step {number}");
            }
            // In free fall, explicit Euler adds (g h)^2 / 2 per kilogram.
            let gain = 0.04 * (9.81_f64 * 0.01).powi(2) / 2.0;
            assert!(is_near(energies[40] - energies[0], 40.0 * gain), "{solver}");
            let hits = steps[STEPS].iter().any(|line| line.force[0].abs() > 1e-3);
            assert!(hits, "the tire is on the floor, and its springs work");
        }
    }

    #[test]
    fn a_hub_is_recorded_with_its_own_weight() {
        let mut spec = small("real-fast", "semaphore", "1");
        set(&mut spec, &[("model", "central"), ("steps", "1")]);
        let text = recorded_text(&spec);
        let hub = text.lines().last().unwrap();
        assert!(hub.starts_with("1,0.01,40,0.01,"), "{hub}");
    }
}
