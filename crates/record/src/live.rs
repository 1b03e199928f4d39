//! What a running tire sends to a viewer, and the format of the datagrams.
//!
//! ```text
//! datagram = "SFWATCH" version:u8 kind:u8 run:u64 body checksum:u32    (little endian)
//! about 1  = period_ns:u64 periods:u64 step_ns:u64 size:u64 threads:u32
//!            unit:text model:text solver:text precision:text policy:text
//! shape 2  = step:u64 metres:f32 newtons:f32 hubs:u8 {x:i16 y:i16}
//!            places:u16 {x:i16 y:i16 force:u16}
//! steps 3  = totals first:u64 steps:u16 {due_ns:u64 delay_ns:u32 run_ns:u32}
//! end 4    = totals
//! totals   = executed:u64 missed:u64 skipped:u64 untold:u64 frames_due:u64 frames_sent:u64
//! text     = length:u8 UTF-8
//! ```
//! The checksum is CRC-32 over everything before it. Every datagram is complete in itself, so a
//! lost one affects no other. Positions and forces of a shape are whole multiples of `metres` and
//! `newtons`.

mod bytes;

use serde::Serialize;

use bytes::{Reader, Writer};
pub use bytes::{Refused, VERSION};

/// Longest datagram in bytes: fits an Ethernet frame, with what tunnels add.
pub const MOST_BYTES: usize = 1400;
pub const MOST_PLACES: usize = 220;
pub const MOST_STEPS: usize = 80;

const MAGIC: [u8; 7] = *b"SFWATCH";

#[derive(Debug, Clone, PartialEq)]
pub struct Datagram {
    /// The start of the run that it belongs to, in nanoseconds since 1970.
    pub run: u64,
    pub news: News,
}

#[derive(Debug, Clone, PartialEq)]
pub enum News {
    About(About),
    Shape(Shape),
    Steps(Steps),
    End(Totals),
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct About {
    /// Time from one step to the next in nanoseconds; not 0.
    pub period_ns: u64,
    pub periods: u64,
    /// Simulated time of a step in nanoseconds; not 0.
    pub step_ns: u64,
    pub size: u64,
    pub threads: u32,
    /// The unit of the size, as returned by [`Size::unit`](crate::Size::unit).
    pub unit: String,
    pub model: String,
    pub solver: String,
    pub precision: String,
    pub policy: String,
}

#[derive(Debug, Clone, PartialEq, Default)]
pub struct Shape {
    pub step: u64,
    /// The hub's horizontal position and height above the floor, in metres.
    pub hub: Option<[f32; 2]>,
    /// Some masses of the ring, in order; those half the list apart are opposite each other.
    pub places: Vec<Place>,
}

#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Place {
    /// Horizontal position and height above the floor, in metres.
    pub position: [f32; 2],
    /// Total force of its springs and dampers, in newtons.
    pub force: f32,
}

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Steps {
    pub totals: Totals,
    /// Number of the first step, counted from 0.
    pub first: u64,
    pub times: Vec<StepTimes>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct StepTimes {
    /// Due time in nanoseconds, relative to the due time of the first step.
    pub due_ns: u64,
    /// Time from there to the first thread's start; saturates at the largest number.
    pub delay_ns: u32,
    /// Time from there to the last thread's end; saturates at the largest number.
    pub run_ns: u32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct Totals {
    pub executed: u64,
    /// Steps that ended after the next due time, and periods without a step.
    pub missed: u64,
    pub skipped: u64,
    /// Steps whose times were overwritten before they could be sent.
    pub untold: u64,
    pub frames_due: u64,
    pub frames_sent: u64,
}

impl Datagram {
    /// Writes the datagram over the content of `to`. Texts are cut at 255 bytes, lists at
    /// [`MOST_PLACES`] and [`MOST_STEPS`]. Allocates nothing if `to` has room for [`MOST_BYTES`].
    pub fn encode(&self, to: &mut Vec<u8>) {
        let mut w = Writer::new(to);
        w.bytes(&MAGIC);
        w.u8(VERSION);
        w.u8(self.news.kind());
        w.u64(self.run);
        match &self.news {
            News::About(about) => about.write(&mut w),
            News::Shape(shape) => shape.write(&mut w),
            News::Steps(steps) => steps.write(&mut w),
            News::End(totals) => totals.write(&mut w),
        }
        w.checksum();
    }

    /// Reads a datagram.
    ///
    /// # Errors
    /// If the bytes are something else or incomplete.
    pub fn decode(from: &[u8]) -> Result<Self, Refused> {
        let body = from.strip_prefix(&MAGIC).ok_or(Refused::Stranger)?;
        match body.first() {
            Some(&VERSION) => {}
            Some(&other) => return Err(Refused::Version(other)),
            None => return Err(Refused::Damaged),
        }
        let mut r = Reader::checked(from)?;
        r.skip(MAGIC.len() + 1)?;
        let kind = r.u8()?;
        let run = r.u64()?;
        let news = match kind {
            1 => News::About(About::read(&mut r)?),
            2 => News::Shape(Shape::read(&mut r)?),
            3 => News::Steps(Steps::read(&mut r)?),
            4 => News::End(Totals::read(&mut r)?),
            _ => return Err(Refused::Damaged),
        };
        r.end()?;
        Ok(Self { run, news })
    }
}

impl News {
    fn kind(&self) -> u8 {
        match self {
            Self::About(_) => 1,
            Self::Shape(_) => 2,
            Self::Steps(_) => 3,
            Self::End(_) => 4,
        }
    }
}

/// Writes and reads numbers, then texts, in the order of the table above.
macro_rules! fields {
    ($($kind:ident { $($number:ident $how:ident),*; $($text:ident),* })*) => {$(
        impl $kind {
            fn write(&self, w: &mut Writer) {
                $(w.$how(self.$number);)*
                $(w.text(&self.$text);)*
            }

            fn read(r: &mut Reader) -> Result<Self, Refused> {
                Ok(Self {
                    $($number: r.$how()?,)*
                    $($text: r.text()?,)*
                })
            }
        }
    )*};
}

fields! {
    About {
        period_ns positive, periods u64, step_ns positive, size u64, threads u32;
        unit, model, solver, precision, policy
    }
    StepTimes { due_ns u64, delay_ns u32, run_ns u32; }
    Totals {
        executed u64, missed u64, skipped u64, untold u64, frames_due u64, frames_sent u64;
    }
}

impl Shape {
    fn write(&self, w: &mut Writer) {
        let places = &self.places[..self.places.len().min(MOST_PLACES)];
        let across = places.iter().map(|place| &place.position).chain(&self.hub);
        let farthest = across.flatten().fold(0.0, |most: f32, x| most.max(x.abs()));
        let strongest = places.iter().fold(0.0, |most: f32, p| most.max(p.force));
        let metres = unit(farthest, f32::from(i16::MAX));
        let newtons = unit(strongest, f32::from(u16::MAX));
        w.u64(self.step);
        w.f32(metres);
        w.f32(newtons);
        w.u8(u8::from(self.hub.is_some()));
        for x in self.hub.iter().flatten() {
            w.i16((x / metres).round() as i16);
        }
        w.u16(places.len() as u16);
        for place in places {
            for x in place.position {
                w.i16((x / metres).round() as i16);
            }
            w.u16((place.force / newtons).round() as u16);
        }
    }

    fn read(r: &mut Reader) -> Result<Self, Refused> {
        let step = r.u64()?;
        let (metres, newtons) = (r.f32()?, r.f32()?);
        let position =
            |r: &mut Reader| Ok([f32::from(r.i16()?) * metres, f32::from(r.i16()?) * metres]);
        let hub = if r.u8()? == 0 { None } else { Some(position(r)?) };
        let count = usize::from(r.u16()?);
        if count > MOST_PLACES {
            return Err(Refused::Damaged);
        }
        let mut places = Vec::with_capacity(count);
        for _ in 0..count {
            places.push(Place { position: position(r)?, force: f32::from(r.u16()?) * newtons });
        }
        Ok(Self { step, hub, places })
    }
}

/// Returns the unit in which the largest number is `steps`.
fn unit(largest: f32, steps: f32) -> f32 {
    let unit = largest / steps;
    if unit.is_normal() { unit } else { 1.0 }
}

impl Steps {
    fn write(&self, w: &mut Writer) {
        let times = &self.times[..self.times.len().min(MOST_STEPS)];
        self.totals.write(w);
        w.u64(self.first);
        w.u16(times.len() as u16);
        times.iter().for_each(|step| step.write(w));
    }

    fn read(r: &mut Reader) -> Result<Self, Refused> {
        let totals = Totals::read(r)?;
        let first = r.u64()?;
        let count = usize::from(r.u16()?);
        if count > MOST_STEPS || first.checked_add(count as u64).is_none() {
            return Err(Refused::Damaged);
        }
        let times = (0..count).map(|_| StepTimes::read(r)).collect::<Result<_, _>>()?;
        Ok(Self { totals, first, times })
    }
}

#[cfg(test)]
mod tests;
