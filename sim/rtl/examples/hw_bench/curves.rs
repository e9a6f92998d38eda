//! Curves for the documentation, each after a figure of the Clio paper. Of Clio's own values only those that its text states are drawn.
use std::path::Path;

use anyhow::{Context, Result};
use plotters::prelude::*;

use super::measure::{MEGAHERTZ, Measured};

const SIZE: (u32, u32) = (760, 420);

/// A line with its name.
type Line = (&'static str, RGBColor, Vec<(f64, f64)>);

struct Chart<'a> {
    file: &'a str,
    title: &'a str,
    x: &'a str,
    y: &'a str,
    /// The largest y.
    top: f64,
    /// A level that Clio's text names.
    clio: Option<(f64, &'a str)>,
}

fn find<'a>(all: &'a [Measured], name: &str) -> Result<&'a Measured> {
    all.iter().find(|m| m.name == name).with_context(|| format!("no row \"{name}\""))
}

fn draw(folder: &Path, chart: &Chart<'_>, lines: &[Line]) -> Result<()> {
    let path = folder.join(chart.file);
    let points = || lines.iter().flat_map(|(_, _, points)| points.iter().map(|(x, _)| *x));
    let (first, last) = (points().fold(f64::MAX, f64::min), points().fold(1.0, f64::max));
    let root = SVGBackend::new(&path, SIZE).into_drawing_area();
    let failed = |error: &dyn std::fmt::Display| anyhow::anyhow!("drawing {}: {error}", path.display());
    root.fill(&WHITE).map_err(|error| failed(&error))?;
    let mut area = ChartBuilder::on(&root)
        .caption(chart.title, ("sans-serif", 18))
        .margin(12)
        .x_label_area_size(40)
        .y_label_area_size(52)
        .build_cartesian_2d((first..last).log_scale(), 0.0..chart.top)
        .map_err(|error| failed(&error))?;
    area.configure_mesh()
        .x_desc(chart.x)
        .y_desc(chart.y)
        .x_label_formatter(&|x| format!("{x:.0}"))
        .draw()
        .map_err(|error| failed(&error))?;
    for (name, color, points) in lines {
        let color = *color;
        area.draw_series(LineSeries::new(points.iter().copied(), &color).point_size(3))
            .map_err(|error| failed(&error))?
            .label(*name)
            .legend(move |(x, y)| PathElement::new([(x, y), (x + 18, y)], color));
    }
    if let Some((level, name)) = chart.clio {
        let dashes = (0..=200).map(|i| (first * (last / first).powf(f64::from(i) / 200.0), level));
        area.draw_series(dashes.step_by(4).map(|point| Circle::new(point, 1, BLACK.filled())))
            .map_err(|error| failed(&error))?
            .label(name)
            .legend(|(x, y)| Circle::new((x + 9, y), 2, BLACK.filled()));
    }
    area.configure_series_labels()
        .background_style(WHITE.mix(0.8))
        .border_style(BLACK)
        .position(SeriesLabelPosition::LowerRight)
        .draw()
        .map_err(|error| failed(&error))?;
    root.present().map_err(|error| failed(&error))
}

fn nanoseconds(cycles: u64) -> f64 {
    cycles as f64 * 1000.0 / MEGAHERTZ
}

/// Goodput against size (Clio, figure 9).
fn goodput(folder: &Path, all: &[Measured]) -> Result<()> {
    let line = |traffic: &str| -> Result<Vec<(f64, f64)>> {
        let sizes = [4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8950];
        let point = |size: u32| {
            let row = find(all, &format!("{traffic} {size} B, memory 0"))?;
            Ok((f64::from(size), row.gbit_per_second))
        };
        sizes.into_iter().map(point).collect()
    };
    let chart = Chart {
        file: "goodput.svg",
        title: "Goodput at 250 MHz, generated at the board's port (after Clio, figure 9)",
        x: "bytes of a request",
        y: "Gbit/s",
        top: 135.0,
        clio: Some((110.0, "Clio: \"more than 110 Gbps when request size is large\"")),
    };
    draw(folder, &chart, &[("reads", BLUE, line("read")?), ("writes", RED, line("write")?)])
}

/// Latency against pages used in turn (Clio, figure 5).
fn pages(folder: &Path, all: &[Measured]) -> Result<()> {
    let point = |pages: u32| {
        let row = find(all, &format!("read 16 B, memory 60, alone, {pages} pages in turn"))?;
        Ok((f64::from(pages), nanoseconds(row.latency[1])))
    };
    let points = [1, 4, 16, 32, 64, 256, 1024].into_iter().map(point).collect::<Result<Vec<_>>>()?;
    let chart = Chart {
        file: "pages.svg",
        title: "A read's way through the board, pages spread over 4 TB (after Clio, figure 5)",
        x: "pages used in turn (Clio's text: two stable levels, hits below 16 pages, misses above)",
        y: "ns, last beat in to last beat out",
        top: 700.0,
        clio: None,
    };
    draw(folder, &chart, &[("16-byte read, memory of 60 cycles", BLUE, points)])
}

/// Latency against processes (Clio, figure 4).
fn processes(folder: &Path, all: &[Measured]) -> Result<()> {
    let point = |(count, name): (f64, &str)| {
        let row = find(all, &format!("read 16 B, memory 60, alone, 8 pages of {name} processes"))?;
        Ok((count, nanoseconds(row.latency[1])))
    };
    let points = [(1.0, "1"), (1e3, "1,000"), (15e6, "15,000,000")].into_iter().map(point);
    let points = points.collect::<Result<Vec<_>>>()?;
    let chart = Chart {
        file: "processes.svg",
        title: "A read's way through the board against processes (after Clio, figure 4)",
        x: "processes that requests are drawn from (Clio's text: flat)",
        y: "ns, last beat in to last beat out",
        top: 400.0,
        clio: None,
    };
    draw(folder, &chart, &[("16-byte read that hits", BLUE, points)])
}

/// Hit, miss and first touch (Clio, figure 6), over the number of DRAM accesses that translation takes.
fn misses(folder: &Path, all: &[Measured]) -> Result<()> {
    let line = |traffic: &str, cases: &[&str]| -> Result<Vec<(f64, f64)>> {
        let point = |(at, case): (usize, &&str)| {
            let row = find(all, &format!("{traffic} 16 B, memory 60, alone, {case}"))?;
            Ok((at as f64 + 1.0, nanoseconds(row.latency[1])))
        };
        cases.iter().enumerate().map(point).collect()
    };
    let chart = Chart {
        file: "misses.svg",
        title: "16 B: hit, miss, first touch (after Clio, figure 6)",
        x: "1: hit, 2: miss, 3: first touch (Clio's text: \"no additional cost of page fault handling\")",
        y: "ns, last beat in to last beat out",
        top: 800.0,
        clio: None,
    };
    let lines = [
        ("read, memory of 60 cycles", BLUE, line("read", &["hit", "miss"])?),
        ("write, memory of 60 cycles", RED, line("write", &["hit", "miss", "first touch"])?),
    ];
    draw(folder, &chart, &lines)
}

/// Draws all of them.
pub fn draw_all(folder: &Path, all: &[Measured]) -> Result<()> {
    goodput(folder, all)?;
    pages(folder, all)?;
    processes(folder, all)?;
    misses(folder, all)
}
