//! A document, its sections and their pieces.

use analysis::finding::Standing;
use record::{Heading, Note};
use serde::Serialize;

use super::chart::Chart;
use super::multiples::Multiples;
use super::table::Table;

#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub(crate) struct Document {
    pub title: String,
    pub subtitle: String,
    /// The user's own note; may be empty.
    pub note: String,
    pub sections: Vec<Section>,
}

#[derive(Debug, Clone, Copy)]
pub(crate) struct Place<'d> {
    pub section: &'d str,
    /// The title of the folded block around it, if there is one.
    pub title: &'d str,
    /// The run whose folded block is around it, and when that started.
    pub run: Option<[&'d str; 2]>,
}

#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub(crate) struct Section {
    /// The anchor in the page, unique in the document.
    pub id: String,
    pub title: String,
    pub tone: Tone,
    /// Whether the heading is good or bad news.
    pub standing: Standing,
    /// The meaning of the figures, in a sentence or two.
    pub introduction: String,
    pub blocks: Vec<Block>,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Tone {
    #[default]
    Detail,
    Answer,
    /// A problem to fix before any result can be trusted.
    Alarm,
    /// What the reader must know to understand the figures.
    Meaning,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub(crate) enum Block {
    Table(Table),
    Figure(Chart),
    Multiples(Multiples),
    /// Sentences under a title, which may be empty.
    Notes {
        title: String,
        sentences: Vec<String>,
    },
    Entries {
        title: String,
        entries: Vec<Entry>,
    },
    Change {
        title: String,
        words: String,
        command: Option<String>,
    },
    Text {
        lines: Vec<String>,
    },
    /// Blocks side by side where there is room.
    Beside {
        columns: Vec<Vec<Block>>,
    },
    Folded(Folded),
}

/// A block that shows only its title until it is unfolded.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub(crate) struct Folded {
    pub title: String,
    /// A mark before the title: `valid`, `INVALID` or empty.
    pub mark: &'static str,
    /// Text at the far end of the title's line.
    pub when: String,
    pub blocks: Vec<Block>,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub(crate) struct Entry {
    pub name: String,
    pub value: String,
}

impl Document {
    pub fn untitled(sections: Vec<Section>) -> Self {
        Self { sections, ..Self::default() }
    }

    /// Puts the user's heading above the document; the generated title moves below it.
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

    /// Drops later copies of the first chart.
    pub fn with_first_chart_once(mut self) -> Self {
        let charts = self.charts();
        let Some((first, others)) = charts.split_first() else { return self };
        let repeated = others.iter().filter(|chart| chart.shows_the_same_as(first));
        let repeated: Vec<String> = repeated.map(|chart| chart.name.clone()).collect();
        let is_new = |block: &Block| !matches!(block, Block::Figure(chart) if repeated.contains(&chart.name));
        self.sections.retain_mut(|section| {
            let had_none = section.blocks.is_empty();
            section.blocks.retain(is_new);
            had_none || !section.blocks.is_empty()
        });
        self
    }

    pub fn tables(&self) -> Vec<(Place<'_>, &Table)> {
        let mut tables = Vec::new();
        self.each_block(&mut |place, block| {
            if let Block::Table(table) = block {
                tables.push((place, table));
            }
        });
        tables
    }

    pub fn charts(&self) -> Vec<&Chart> {
        let mut charts = Vec::new();
        self.each_block(&mut |_, block| {
            if let Block::Figure(chart) = block {
                charts.push(chart);
            }
        });
        charts
    }

    fn each_block<'d>(&'d self, visit: &mut dyn FnMut(Place<'d>, &'d Block)) {
        for Section { id, blocks, .. } in &self.sections {
            let place = Place { section: id, title: "", run: None };
            blocks.iter().for_each(|block| block.each(place, visit));
        }
    }
}

impl Section {
    pub fn of(
        id: impl Into<String>,
        title: impl Into<String>,
        introduction: impl Into<String>,
        blocks: Vec<Block>,
    ) -> Self {
        let (id, title, introduction) = (id.into(), title.into(), introduction.into());
        Self { id, title, introduction, blocks, ..Self::default() }
    }

    pub fn told(id: &str, title: &str, tone: Tone, sentences: Vec<String>) -> Option<Self> {
        let blocks = Vec::from_iter(Block::notes("", sentences).filled());
        Self { tone, ..Self::of(id, title, "", blocks) }.filled()
    }

    pub fn filled(self) -> Option<Self> {
        (!self.blocks.is_empty()).then_some(self)
    }
}

impl Block {
    pub fn filled(self) -> Option<Self> {
        let is_empty = match &self {
            Self::Table(table) => table.rows.is_empty(),
            Self::Notes { sentences, .. } => sentences.is_empty(),
            Self::Entries { entries, .. } => entries.is_empty(),
            _ => false,
        };
        (!is_empty).then_some(self)
    }

    pub fn all_filled(blocks: impl IntoIterator<Item = Self>) -> Vec<Self> {
        blocks.into_iter().filter_map(Self::filled).collect()
    }

    pub fn notes(title: impl Into<String>, sentences: Vec<String>) -> Self {
        Self::Notes { title: title.into(), sentences }
    }

    pub fn entries<N: Into<String>, V: Into<String>>(
        title: impl Into<String>,
        entries: impl IntoIterator<Item = (N, V)>,
    ) -> Self {
        let entry = |(name, value): (N, V)| Entry { name: name.into(), value: value.into() };
        Self::Entries { title: title.into(), entries: entries.into_iter().map(entry).collect() }
    }

    fn each<'d>(&'d self, place: Place<'d>, visit: &mut dyn FnMut(Place<'d>, &'d Block)) {
        visit(place, self);
        match self {
            Self::Beside { columns } => {
                columns.iter().flatten().for_each(|block| block.each(place, visit));
            }
            Self::Folded(Folded { title, mark, when, blocks }) => {
                let place = match *mark {
                    "" => Place { title, ..place },
                    _ => Place { run: Some([title, when]), ..place },
                };
                blocks.iter().for_each(|block| block.each(place, visit));
            }
            _ => {}
        }
    }

    pub fn folded(title: impl Into<String>, blocks: Vec<Self>) -> Self {
        Self::Folded(Folded { title: title.into(), blocks, ..Folded::default() })
    }
}
