//! The maps of a machine for programs.

use serde_json::{Map, Value, json};

use super::{Edges, PROPERTIES, edges};
use crate::capacity::{Cell, Grid, grids, shared};
use crate::json::fields;
use crate::standards::Standards;
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
    let demand = grid.hard(&standards.limits);
    let rows = grid.cells.iter();
    let cell = |threads: u64, among: usize, masses: u64, cell: &Cell| {
        json!({
            "threads": threads,
            "masses": masses,
            "runs": cell.runs,
            "due": cell.due,
            "missed": cell.missed,
            "shown_to_hold": demand.is_shown(*cell, among),
        })
    };
    rows.flat_map(|(threads, row)| {
        let among = row.len();
        row.iter().map(move |(m, c)| cell(*threads, among, *m, c))
    })
    .collect()
}
