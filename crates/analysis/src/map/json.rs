//! The maps of a machine for programs.

use serde_json::{Map, Value, json};
use stats::frontier::Criterion;

use super::{Edges, PROPERTIES, edges};
use crate::capacity::{Grid, Line, Size, grids, shared};
use crate::fields::fields;
use crate::standards::{Standards, Strictness};
use crate::survey::System;

/// Every map of the machine.
pub fn of(system: &System, standards: &Standards) -> Vec<Value> {
    let of_grid = |grid: &Grid| {
        let mut told = shared(grid.spec);
        let rows = edges(grid, standards);
        told.extend(fields(json!({
            "system": system.name,
            "machine_id": system.machine_id,
            "soft_share": standards.limits.soft.share(),
            "many_share": standards.many.share(),
            "thresholds": rows.iter().map(of_row).collect::<Vec<Value>>(),
            "cells": cells(grid, standards),
        })));
        Value::Object(told)
    };
    grids(system).iter().map(of_grid).collect()
}

fn of_row(edges: &Edges) -> Value {
    let masses = PROPERTIES.iter().map(|property| {
        let size = (property.of)(edges);
        (property.name.to_owned(), json!(size.map(|size| size.0)))
    });
    let mut told: Map<String, Value> = masses.collect();
    told.insert("threads".to_owned(), json!(edges.threads));
    told.insert("sizes".to_owned(), json!(edges.sizes));
    Value::Object(told)
}

fn cells(grid: &Grid, standards: &Standards) -> Vec<Value> {
    let demand = standards.limits.demand(Strictness::Hard, grid.period());
    let cell = |line: &Line, masses: u64, size: &Size| {
        let held = line.held(size, Criterion::InDeadlines, demand);
        json!({
            "threads": line.threads,
            "masses": masses,
            "runs": held.tries.runs,
            "due": held.tries.due,
            "missed": held.tries.missed,
            "shown_to_hold": held.is_shown(),
        })
    };
    let lines = grid.lines.iter();
    let all = lines.flat_map(|line| line.sizes.iter().map(move |(m, s)| cell(line, *m, s)));
    all.collect()
}
