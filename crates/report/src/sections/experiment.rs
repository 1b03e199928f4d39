//! Which settings matter: what an experiment with knobs shows.

use analysis::Analysis;
use analysis::experiment::{
    Effect, Experiment, KnobTold, POWER, PairTold, Trust, foremost, in_words, of_effects, of_pair,
};
use analysis::words;

use crate::document::{Block, Cell, Column, Section, Table};
use crate::figure::{self, Ratio};

const INTRODUCTION: &str = "Every knob is tried beside all others at once, each in half of the runs \
                            (a folded Plackett-Burman design, drawn order, in blocks). What that \
                            picks is tried again in turns with nothing, and all that help \
                            together: what stands here as shown was shown there. A sham and a \
                            disturbance of known size are tried as if they were knobs.";

/// The section, where an experiment is among the runs.
pub(crate) fn shown(analysis: &Analysis) -> Option<Section> {
    let told = analysis.experiment.as_ref()?;
    let mut blocks = Vec::from_iter(forest(told).map(Block::Figure));
    blocks.push(Block::Table(table(told)));
    let notes = [
        ("Whether it is to be believed", vec![believed(told)]),
        ("Pairs", pairs(told)),
        ("Together", together(told)),
        ("Not tried", left_out(told)),
    ];
    let notes = notes.into_iter().filter(|(_, sentences)| !sentences.is_empty());
    blocks.extend(notes.map(|(title, sentences)| Block::notes(title, sentences)));
    let introduction = format!("For `{}`. {INTRODUCTION}", told.of);
    let title = "Which setting matters?";
    Some(Section::of("knobs", title, &introduction, blocks))
}

/// One line for each knob, sham and disturbance among them.
pub(super) fn forest(told: &Experiment) -> Option<figure::Figure> {
    let controls = [("sham", &told.sham), ("known disturbance", &told.known)];
    let controls = controls.map(|(name, effects)| (name.to_owned(), effects));
    let knobs = told.knobs.iter().map(|knob| (name(knob), &knob.effects));
    let together = [("together".to_owned(), &told.together)];
    let all: Vec<(String, &Vec<Effect>)> =
        together.into_iter().chain(knobs).chain(controls).collect();
    let figure = foremost(&told.sham)
        .or_else(|| all.iter().find_map(|(_, effects)| foremost(effects)))?
        .figure;
    let ratio = |(name, effects): &(String, &Vec<Effect>)| {
        let effect = effects.iter().find(|effect| effect.figure == figure)?;
        Some(Ratio { name: name.clone(), interval: effect.times, is_shown: effect.is_shown })
    };
    let ratios: Vec<Ratio> = all.iter().filter_map(ratio).collect();
    let caption = format!(
        "{figure} with the setting as a multiple of that without, with intervals. Filled: a \
         difference is shown. Broken lines: differences up to {} are none.",
        words::percent(told.margin)
    );
    figure::ratios("knobs", &caption, &format!("{figure}, times"), told.margin, &ratios)
}

fn name(knob: &KnobTold) -> String {
    format!("{} {}", knob.name, knob.value)
}

fn table(told: &Experiment) -> Table {
    let columns = [
        Column::words("Knob"),
        Column::words("Tried"),
        Column::words("What it does here"),
        Column::words("Tried alone").in_detail(),
    ];
    let is_claimed = told.trust == Trust::Believed;
    let line = |knob: &KnobTold| {
        let alone = if knob.was_tried_alone { "yes" } else { "no: the screening did not pick it" };
        vec![
            Cell::text(format!("`{}`", knob.name)),
            Cell::text(&knob.value),
            Cell::text(if is_claimed { in_words(knob) } else { "not claimed".to_owned() }),
            Cell::text(alone),
        ]
    };
    Table::listing("", columns.to_vec(), told.knobs.iter().map(line))
}

fn believed(told: &Experiment) -> String {
    let sham = "The sham, which writes the value that stands,";
    match told.trust {
        Trust::Open => {
            "The experiment ended before sham and known disturbance were tried.".to_owned()
        }
        Trust::ShamFound => format!("{sham} shows a difference: nothing is claimed."),
        Trust::KnownMissed => "The known disturbance shows nothing: nothing is claimed.".to_owned(),
        Trust::Believed => format!(
            "{sham} shows nothing, and the known disturbance was found. {} of such experiments \
             would show a difference of {}.",
            words::percent(POWER),
            words::percent(told.detectable())
        ),
    }
}

fn pairs(told: &Experiment) -> Vec<String> {
    let sentence = |(pair, extra): (&PairTold, &Effect)| {
        let [one, other] = &pair.names;
        format!("`{one}` with `{other}`: {}.", of_pair(pair, extra))
    };
    told.pairs_shown().map(sentence).collect()
}

fn together(told: &Experiment) -> Vec<String> {
    let is_told = told.trust == Trust::Believed && !told.together.is_empty();
    let sentence = || {
        let names = told.those_together.join(", ");
        format!("{names}: {}.", of_effects(&told.together))
    };
    is_told.then(sentence).into_iter().collect()
}

fn left_out(told: &Experiment) -> Vec<String> {
    let all = told.left_out.iter();
    all.map(|one| format!("`{}`: {}.", one.name, one.why)).collect()
}
