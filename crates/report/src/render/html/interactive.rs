//! Charts as plotly's JSON, for the page whose charts one zooms and exports.

use serde_json::{Value, json};

use crate::document::{Axis, Chart, Guide, Kind, Mark, Panel, Scale, Series, Side, Symbol, Unit};

/// CSS pixels above and below a plotting area, and of a line of the legend.
const AROUND: usize = 110;
const LEGEND_LINE: usize = 20;

/// The element of a chart and the script that draws it.
pub(super) fn chart(chart: &Chart) -> String {
    let panels = chart.panels.iter().enumerate();
    let traces: Vec<Value> =
        panels.flat_map(|(place, panel)| traces(chart, panel, place)).collect();
    let config = json!({
        "responsive": true,
        "displaylogo": false,
        "toImageButtonOptions": { "filename": chart.name, "scale": 2 },
    });
    let [traces, layout, config] =
        [json!(traces), layout(chart), config].map(|part| in_script(&part));
    let name = &chart.name;
    format!(
        "<div class=\"interactive\"><div id=\"plot-{name}\"></div></div>\
         <script>Plotly.newPlot(\"plot-{name}\",{traces},{layout},{config});</script>"
    )
}

/// JSON that ends no script.
fn in_script(value: &Value) -> String {
    value.to_string().replace("</", "<\\/").replace("<!", "<\\!")
}

/// The number that an axis bears after its letter.
fn number(place: usize) -> String {
    match place {
        0 => String::new(),
        place => (place + 1).to_string(),
    }
}

fn layout(chart: &Chart) -> Value {
    const BETWEEN: f64 = 0.12;
    let entries = chart.legend().len();
    let height = match chart.stacked {
        true => chart.height * chart.panels.len(),
        false => chart.height,
    };
    let mut layout = json!({
        "height": height + AROUND + entries * LEGEND_LINE,
        "font": { "size": 12, "color": "#28313B", "family": "system-ui, sans-serif" },
        "margin": { "l": 64, "r": 16, "t": 40, "b": 62 },
        "hovermode": "closest",
        "showlegend": entries > 0,
        "legend": { "orientation": "h", "yref": "container", "y": 0, "yanchor": "bottom" },
    });
    let panels = chart.panels.len() as f64;
    for (place, panel) in chart.panels.iter().enumerate() {
        let number = number(place);
        let part = |place: f64| {
            let from = place / panels;
            [from, from + (1.0 - if panels > 1.0 { BETWEEN } else { 0.0 }) / panels]
        };
        let whole = [0.0, 1.0];
        let (across, upright) = match chart.stacked {
            true => (whole, part(panels - 1.0 - place as f64)),
            false => (part(place as f64), whole),
        };
        layout[format!("xaxis{number}")] = axis(&panel.x, &format!("y{number}"), across);
        layout[format!("yaxis{number}")] = axis(&panel.y, &format!("x{number}"), upright);
    }
    layout
}

fn axis(axis: &Axis, anchor: &str, domain: [f64; 2]) -> Value {
    let logarithmic = axis.scale == Scale::Log;
    let end = |end: f64| {
        let end = end * factor(axis);
        if logarithmic { end.log10() } else { end }
    };
    let mut layout = json!({
        "title": { "text": axis.title },
        "type": if logarithmic { "log" } else { "linear" },
        "range": axis.range.map(end),
        "gridcolor": "#E3E7EB",
        "zeroline": false,
        "automargin": true,
        "exponentformat": "SI",
        "minexponent": 1,
        "ticksuffix": if axis.unit == Unit::Time { "s" } else { "" },
        "anchor": anchor,
        "domain": domain,
    });
    if let Scale::Rows(names) = &axis.scale {
        layout["tickvals"] = (0..names.len()).collect();
        layout["ticktext"] = names.iter().map(|name| markup(name)).collect();
    }
    layout
}

/// What values are multiplied by: times are seconds here, whose prefixes plotly knows.
fn factor(axis: &Axis) -> f64 {
    match axis.unit {
        Unit::Time => 1e-9,
        _ => 1.0,
    }
}

/// Text whose lines stand below each other.
fn markup(text: &str) -> String {
    text.replace('\n', "<br>")
}

fn traces(chart: &Chart, panel: &Panel, place: usize) -> Vec<Value> {
    let number = number(place);
    let row = chart.height as f64 / (panel.y.range[0] - panel.y.range[1]).abs();
    let factors = [&panel.x, &panel.y].map(factor);
    let legend = chart.legend();
    let series = panel.series.iter().map(|one| {
        let is_named = legend.iter().any(|named| std::ptr::eq(*named, one));
        series(one, row, factors, is_named)
    });
    let guides = panel.guides.iter().map(|one| guide(one, factors));
    let on_axes = |mut trace: Value| {
        trace["xaxis"] = json!(format!("x{number}"));
        trace["yaxis"] = json!(format!("y{number}"));
        trace
    };
    series.chain(guides).map(on_axes).collect()
}

/// One trace a series; a bar is a thick line from its start to its end, and what is no number
/// parts it from the next one.
fn series(series: &Series, row: f64, [across, up]: [f64; 2], is_named: bool) -> Value {
    let look = series.look;
    let each = |of: &dyn Fn(&Mark) -> Value| series.marks.iter().map(of).collect::<Vec<Value>>();
    let (x, y, hover, label) = match series.kind {
        Kind::Needles => {
            let twice = |mark: &Mark| json!([mark.x * across, mark.x * across, null]);
            let ends = |mark: &Mark| json!([mark.y * up, mark.to.map(|to| to * up), null]);
            let hover = |mark: &Mark| json!([markup(&mark.hover), markup(&mark.hover), ""]);
            let label = |_: &Mark| json!(["", "", ""]);
            let [x, y] = [flat(each(&twice)), flat(each(&ends))];
            (x, y, flat(each(&hover)), flat(each(&label)))
        }
        Kind::Spans(_) => {
            let ends = |mark: &Mark| json!([mark.x * across, mark.to.map(|to| to * across), null]);
            let rows = |mark: &Mark| json!([mark.y, mark.y, null]);
            let hover = |mark: &Mark| json!([markup(&mark.hover), markup(&mark.hover), ""]);
            let label = |mark: &Mark| json!(["", mark.label, ""]);
            let [x, y] = [flat(each(&ends)), flat(each(&rows))];
            (x, y, flat(each(&hover)), flat(each(&label)))
        }
        _ => (
            each(&|mark| json!(mark.x * across)),
            each(&|mark| json!(mark.y * up)),
            each(&|mark| json!(markup(&mark.hover))),
            each(&|mark| json!(mark.label)),
        ),
    };
    let width = match series.kind {
        Kind::Spans(rows) => (rows * row).max(1.0),
        _ => look.width,
    };
    let mut trace = json!({
        "type": "scatter",
        "x": x,
        "y": y,
        "hovertext": hover,
        "text": label,
        "hoverinfo": if series.marks.iter().any(|mark| !mark.hover.is_empty()) { "text" } else { "skip" },
        "name": markup(&series.name),
        "legendgroup": series.name,
        "showlegend": is_named,
        "mode": mode(series),
        "textposition": position(series),
        "line": {
            "color": look.colour,
            "width": width,
            "dash": look.dash.replace(' ', ","),
            "shape": if series.kind == Kind::Steps { "hv" } else { "linear" },
        },
    });
    if let Some(shape) = look.symbol {
        let open = if look.open { "-open" } else { "" };
        trace["marker"] = json!({
            "symbol": format!("{}{open}", symbol(shape)),
            "opacity": look.opacity,
            "size": each(&|mark| json!(mark.size.unwrap_or(9.0))),
            "color": each(&|mark| json!(mark.colour.as_deref().unwrap_or(look.colour))),
        });
    }
    if !matches!(series.kind, Kind::Spans(_) | Kind::Needles)
        && series.marks.iter().any(|mark| mark.to.is_some())
    {
        let above = |mark: &Mark| json!(mark.to.map_or(0.0, |to| (to - mark.y) * up));
        trace["error_y"] = json!({ "type": "data", "symmetric": false, "array": each(&above) });
    }
    trace
}

fn flat(parts: Vec<Value>) -> Vec<Value> {
    let parts = parts.into_iter();
    parts.flat_map(|part| part.as_array().cloned().unwrap_or_default()).collect()
}

fn mode(series: &Series) -> String {
    let lines = matches!(series.kind, Kind::Line | Kind::Steps | Kind::Needles | Kind::Spans(_));
    let text = series.marks.iter().any(|mark| !mark.label.is_empty());
    let parts = [(lines, "lines"), (series.look.symbol.is_some(), "markers"), (text, "text")];
    let parts = parts.iter().filter(|(has, _)| *has).map(|(_, part)| *part);
    parts.collect::<Vec<&str>>().join("+")
}

fn position(series: &Series) -> &'static str {
    match series.marks.first().map(|mark| mark.side) {
        Some(Side::Left) => "middle left",
        Some(Side::Above) => "top center",
        _ => "middle right",
    }
}

fn symbol(symbol: Symbol) -> &'static str {
    match symbol {
        Symbol::Circle => "circle",
        Symbol::Square => "square",
        Symbol::Diamond => "diamond",
        Symbol::Triangle => "triangle-up",
        Symbol::Cross => "x-thin",
        Symbol::Beyond => "triangle-right",
    }
}

fn guide(guide: &Guide, [across, up]: [f64; 2]) -> Value {
    let is_leftwards = guide.points.first() > guide.points.last();
    let last = guide.points.len().saturating_sub(1);
    let texts =
        (0..guide.points.len()).map(|at| if at == last { guide.label.as_str() } else { "" });
    json!({
        "type": "scatter",
        "mode": "lines+text",
        "x": guide.points.iter().map(|[x, _]| x * across).collect::<Vec<_>>(),
        "y": guide.points.iter().map(|[_, y]| y * up).collect::<Vec<_>>(),
        "text": texts.collect::<Vec<&str>>(),
        "textposition": if is_leftwards { "top right" } else { "top left" },
        "hoverinfo": "skip",
        "name": guide.name,
        "showlegend": !guide.name.is_empty(),
        "line": {
            "color": "#28313B",
            "width": 1.2,
            "dash": if guide.dashed { "dash" } else { "solid" },
        },
    })
}
