//! A document, its sections and their pieces.

use analysis::answer::Standing;
use analysis::verdict::Change;
use plan::{Heading, Note};
use serde::Serialize;

use super::chart::Chart;
use super::table::Table;
use crate::figure::Multiples;

/// A document is what one answer shows.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub(crate) struct Document {
    /// What the document is about.
    pub title: String,
    /// Where its figures come from, in one line.
    pub subtitle: String,
    /// What a person says of it; empty where nobody does.
    pub note: String,
    /// The parts, in the order in which they are read.
    pub sections: Vec<Section>,
}

/// A section is one part of a document under a title.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub(crate) struct Section {
    /// The anchor in a page, unique in its document.
    pub id: String,
    /// The heading.
    pub title: String,
    /// What the section is to the reader.
    pub tone: Tone,
    /// What kind of news the heading is.
    pub standing: Standing,
    /// What the figures mean, in a sentence or two.
    pub introduction: String,
    /// The pieces, in the order in which they are read.
    pub blocks: Vec<Block>,
}

/// A tone tells what a section is to the reader.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Tone {
    /// Details behind the answer.
    #[default]
    Detail,
    /// The answer itself.
    Answer,
    /// What must be mended before anything is believed.
    Alarm,
    /// What must be known to read the figures.
    Meaning,
}

/// A block is one piece of a section.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub(crate) enum Block {
    /// Lines under column heads.
    Table(Table),
    /// A drawing.
    Figure(Chart),
    /// Many small drawings in a grid.
    Multiples(Multiples),
    /// Sentences under a title, which may be empty.
    Notes { title: String, sentences: Vec<String> },
    /// Names with what they have, under a title, which may be empty.
    Entries { title: String, entries: Vec<Entry> },
    /// What to do next, with the command that does it.
    Change {
        title: String,
        #[serde(flatten)]
        change: Change,
    },
    /// Lines whose letters stand below each other.
    Text { lines: Vec<String> },
    /// Blocks that stand beside each other where there is room.
    Beside { columns: Vec<Vec<Block>> },
    /// What one unfolds to see it.
    Folded(Folded),
}

/// A folded block shows its title until somebody unfolds it.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub(crate) struct Folded {
    /// What shows.
    pub title: String,
    /// A mark before the title: `valid` or `INVALID`, or nothing.
    pub mark: &'static str,
    /// What stands at the far end of the title's line.
    pub when: String,
    /// What is unfolded.
    pub blocks: Vec<Block>,
}

/// An entry is a name with what it has.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(crate) struct Entry {
    /// The name.
    pub name: String,
    /// What it has.
    pub value: String,
}

impl Document {
    /// A document that shows no title, as in a terminal.
    pub fn untitled(sections: Vec<Section>) -> Self {
        Self { sections, ..Self::default() }
    }

    /// The same under what a person calls it; what it would be called otherwise comes below.
    pub fn headed(self, heading: &Heading) -> Self {
        let note = heading.note.as_ref().map_or("", Note::text).to_owned();
        match &heading.title {
            None => Self { note, ..self },
            Some(title) => Self {
                subtitle: format!("{} · {}", self.title, self.subtitle),
                title: title.text().to_owned(),
                note,
                ..self
            },
        }
    }

    /// Every chart, in the order in which they are read.
    pub fn charts(&self) -> Vec<&Chart> {
        let blocks = self.sections.iter().flat_map(|section| &section.blocks);
        let mut charts = Vec::new();
        blocks.for_each(|block| block.add_charts(&mut charts));
        charts
    }
}

impl Section {
    /// A section of details.
    pub fn of(
        id: impl Into<String>,
        title: impl Into<String>,
        introduction: impl Into<String>,
        blocks: Vec<Block>,
    ) -> Self {
        Self {
            id: id.into(),
            title: title.into(),
            introduction: introduction.into(),
            blocks,
            ..Self::default()
        }
    }

    /// A section of sentences alone; `None` without any.
    pub fn told(id: &str, title: &str, tone: Tone, sentences: Vec<String>) -> Option<Self> {
        (!sentences.is_empty()).then(|| Self {
            id: id.to_owned(),
            title: title.to_owned(),
            tone,
            blocks: vec![Block::notes("", sentences)],
            ..Self::default()
        })
    }
}

impl Block {
    /// Sentences under a title.
    pub fn notes(title: impl Into<String>, sentences: Vec<String>) -> Self {
        Self::Notes { title: title.into(), sentences }
    }

    /// Names with what they have, under a title.
    pub fn entries<N, V>(
        title: impl Into<String>,
        entries: impl IntoIterator<Item = (N, V)>,
    ) -> Self
    where
        N: Into<String>,
        V: Into<String>,
    {
        let entry = |(name, value): (N, V)| Entry { name: name.into(), value: value.into() };
        Self::Entries { title: title.into(), entries: entries.into_iter().map(entry).collect() }
    }

    fn add_charts<'b>(&'b self, charts: &mut Vec<&'b Chart>) {
        match self {
            Self::Figure(chart) => charts.push(chart),
            Self::Beside { columns } => {
                let blocks = columns.iter().flatten();
                blocks.for_each(|block| block.add_charts(charts));
            }
            Self::Folded(folded) => {
                let blocks = folded.blocks.iter();
                blocks.for_each(|block| block.add_charts(charts));
            }
            _ => {}
        }
    }

    /// Blocks behind a title.
    pub fn folded(title: impl Into<String>, blocks: Vec<Self>) -> Self {
        Self::Folded(Folded { title: title.into(), blocks, ..Folded::default() })
    }
}
