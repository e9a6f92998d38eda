//! The report: one file that needs nothing else, plots included.
use std::fmt::{Display, Write};

use anyhow::{Result, anyhow};
use plotters::coord::Shift;
use plotters::prelude::*;

use mneme_tests::figures::{Axis, Figures, Goal, Plot, Series, Table, Verdict, goals, short};

const SIZE: (u32, u32) = (760, 420);
const STYLE: &str = "body{font:15px/1.45 system-ui,sans-serif;max-width:62em;margin:2em auto;padding:0 1em;color:#222}\
table{border-collapse:collapse;margin:1em 0}caption{text-align:left;font-weight:600;padding:.3em 0}\
th,td{border-bottom:1px solid #ccc;padding:.2em .8em;text-align:left}td.n{text-align:right;font-variant-numeric:tabular-nums}\
.met{color:#17692a}.missed{color:#b00020;font-weight:600}.open{color:#8a5a00}svg{max-width:100%;height:auto}p{max-width:50em}";

/// Lines of a plot, told apart by colour.
const COLOURS: [RGBColor; 8] = [
    RGBColor(31, 119, 180),
    RGBColor(214, 39, 40),
    RGBColor(44, 160, 44),
    RGBColor(148, 103, 189),
    RGBColor(255, 127, 14),
    RGBColor(23, 190, 207),
    RGBColor(140, 86, 75),
    RGBColor(90, 90, 90),
];

/// The report of all parts; `machine` says where and how they were measured.
pub fn report(machine: &str, parts: &[Figures]) -> Result<String> {
    let mut page = String::new();
    write!(
        page,
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>Mneme: figures</title>\
         <style>{STYLE}</style></head><body>\n<h1>Mneme: figures</h1>\n<p>{}</p>\n",
        escape(machine)
    )?;
    goal_table(&mut page, parts.iter().flat_map(|part| &part.goals))?;
    for part in parts {
        write!(page, "<h2>{}</h2>\n<p>{}</p>\n", escape(&part.part), escape(&part.about))?;
        part.tables.iter().try_for_each(|one| table(&mut page, one))?;
        for plot in &part.plots {
            writeln!(page, "<figure>{}</figure>", draw(plot)?)?;
        }
    }
    page.push_str("</body></html>\n");
    Ok(page)
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

fn table(page: &mut String, table: &Table) -> Result<()> {
    write!(page, "<table><caption>{}</caption><tr>", escape(&table.title))?;
    table.columns.iter().try_for_each(|column| write!(page, "<th>{}</th>", escape(column)))?;
    for row in &table.rows {
        page.push_str("</tr>\n<tr>");
        for cell in row {
            let class = if matches!(cell, mneme_tests::figures::Cell::Text(_)) { "" } else { " class=\"n\"" };
            write!(page, "<td{class}>{}</td>", escape(&cell.to_string()))?;
        }
    }
    page.push_str("</tr></table>\n");
    Ok(())
}

fn goal_table<'a>(page: &mut String, all: impl Iterator<Item = &'a Goal>) -> Result<()> {
    let all: Vec<&Goal> = all.collect();
    let table = goals(all.iter().copied());
    write!(page, "<table><caption>{}</caption><tr>", table.title)?;
    table.columns.iter().try_for_each(|column| write!(page, "<th>{}</th>", escape(column)))?;
    for (goal, row) in all.iter().zip(&table.rows) {
        let class = match goal.verdict {
            Verdict::Met => "met",
            Verdict::Missed => "missed",
            Verdict::NotMeasured(_) => "open",
        };
        write!(page, "</tr>\n<tr class=\"{class}\">")?;
        row.iter().try_for_each(|cell| write!(page, "<td>{}</td>", escape(&cell.to_string())))?;
    }
    page.push_str("</tr></table>\n");
    Ok(())
}

/// An axis' value as a place on paper, and back.
struct Scale(Option<f64>);

impl Scale {
    fn of(axis: &Axis) -> Scale {
        Scale(axis.powers_of)
    }
    fn place(&self, value: f64) -> f64 {
        self.0.map_or(value, |base| value.max(f64::MIN_POSITIVE).log(base))
    }
    fn label(&self, place: f64) -> String {
        short(self.0.map_or(place, |base| base.powf(place)))
    }
    /// From the least to the greatest value, with some air above; linear axes begin at 0.
    fn range(&self, values: impl Iterator<Item = f64> + Clone) -> std::ops::Range<f64> {
        let places = values.map(|value| self.place(value));
        let greatest = places.clone().fold(f64::MIN, f64::max);
        let least = places.fold(f64::MAX, f64::min);
        match self.0 {
            None => 0.0..greatest.max(f64::MIN_POSITIVE) * 1.05,
            Some(_) => least..greatest.max(least + 1e-3) + 0.05 * (greatest - least),
        }
    }
    /// Marks: one for each power where there are not too many.
    fn marks(&self, range: &std::ops::Range<f64>) -> usize {
        self.0.map_or(8, |_| ((range.end - range.start).floor() as usize + 1).clamp(2, 14))
    }
}

fn failed(error: impl Display) -> anyhow::Error {
    anyhow!("drawing a plot: {error}")
}

fn draw(plot: &Plot) -> Result<String> {
    let mut svg = String::new();
    {
        let root = SVGBackend::with_string(&mut svg, SIZE).into_drawing_area();
        draw_on(&root, plot)?;
        root.present().map_err(failed)?;
    }
    Ok(svg)
}

fn draw_on(root: &DrawingArea<SVGBackend<'_>, Shift>, plot: &Plot) -> Result<()> {
    root.fill(&WHITE).map_err(failed)?;
    let points = || plot.series.iter().flat_map(|series| &series.points);
    let (x, y) = (Scale::of(&plot.x), Scale::of(&plot.y));
    let (across, up) = (x.range(points().map(|point| point.0)), y.range(points().map(|point| point.1)));
    let marks = (x.marks(&across), y.marks(&up));
    let mut chart = ChartBuilder::on(root)
        .caption(&plot.title, ("sans-serif", 17))
        .margin(12)
        .x_label_area_size(42)
        .y_label_area_size(72)
        .build_cartesian_2d(across, up)
        .map_err(failed)?;
    chart
        .configure_mesh()
        .x_labels(marks.0)
        .y_labels(marks.1)
        .x_desc(&plot.x.label)
        .y_desc(&plot.y.label)
        .x_label_formatter(&|place| x.label(*place))
        .y_label_formatter(&|place| y.label(*place))
        .light_line_style(WHITE)
        .draw()
        .map_err(failed)?;
    for (Series { name, points }, colour) in plot.series.iter().zip(COLOURS.into_iter().cycle()) {
        let places = points.iter().map(|point| (x.place(point.0), y.place(point.1)));
        // Points of a long line would hide it.
        let size = if points.len() > 40 { 0 } else { 3 };
        chart
            .draw_series(LineSeries::new(places, &colour).point_size(size))
            .map_err(failed)?
            .label(name)
            .legend(move |(x, y)| PathElement::new([(x, y), (x + 18, y)], colour.stroke_width(2)));
    }
    chart
        .configure_series_labels()
        .position(SeriesLabelPosition::UpperLeft)
        .background_style(WHITE.mix(0.8))
        .border_style(RGBColor(180, 180, 180))
        .draw()
        .map_err(failed)
}
