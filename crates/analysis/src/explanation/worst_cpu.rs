//! The CPU that is shown to be worse than the others that were measured at the same time.

use crate::comparison::Contrasts;
use crate::effect::Effect;
use crate::finding::{Compared, WorstCpu};
use crate::survey::{Series, System};

/// Figures by which a CPU is called the worst, the most important first.
const DECIDING: [&str; 3] = ["missed", "p99", "median"];

/// Returns the CPU with the largest shown difference in the most important figure that differs. `None` if no CPU is
/// shown to be worse: that takes several runs, or a CPU that differs far more than the others do. A CPU that missed
/// fewer deadlines than another is not the worst, whatever its times are.
pub(super) fn worst_cpu(system: &System, cpus: &[&Series]) -> Option<WorstCpu> {
    if cpus.len() < 2 {
        return None;
    }
    let compared = Contrasts::of_parts(system, cpus);
    let most_missed = cpus.iter().map(|cpu| cpu.skipped()).max();
    let may_be_worst = |label: &str| {
        cpus.iter().any(|cpu| cpu.label == label && Some(cpu.skipped()) == most_missed)
    };
    let worst_by = |name: &&str| -> Option<(&str, &Effect)> {
        let rows = compared.rows().filter(|(_, row)| may_be_worst(&row.label));
        let worse = rows.filter_map(|(_, row)| Some((&*row.label, row.named(name)?)));
        let worse = worse.filter(|(_, effect)| effect.is_worse());
        worse.max_by(|(_, a), (_, b)| a.times[1].total_cmp(&b.times[1]))
    };
    let (label, effect) = DECIDING.iter().find_map(worst_by)?;
    let [others, value] = effect.values;
    Some(WorstCpu {
        cpu: label.to_owned(),
        figure: match effect.figure.name {
            "missed" => Compared::MissOdds,
            "p99" => Compared::P99,
            _ => Compared::Median,
        },
        value,
        others,
        times: effect.times,
    })
}
