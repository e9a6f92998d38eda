//! The walker on netlists that are small enough to be counted by hand.
use super::levels::Levels;
use super::netlist::Design;

/// A module from cells, each written as `TYPE name output=net … < input=net …`; nets are numbers from 2, `0` is a constant.
fn levels(ports: &str, cells: &[&str]) -> anyhow::Result<Levels> {
    let bits = |list: &str| {
        let bits: Vec<String> =
            list.split(',').map(|n| if n == "0" { "\"0\"".to_owned() } else { n.to_owned() }).collect();
        format!("[{}]", bits.join(","))
    };
    let mut texts = Vec::new();
    for cell in cells {
        let (head, inputs) = cell.split_once(" < ").expect("a cell has inputs");
        let mut head = head.split(' ');
        let (kind, name) = (head.next().expect("a type"), head.next().expect("a name"));
        let (mut directions, mut connections) = (Vec::new(), Vec::new());
        let pins = head.map(|p| (p, "output")).chain(inputs.split(' ').map(|p| (p, "input")));
        for (pin, direction) in pins {
            let (port, list) = pin.split_once('=').expect("port=nets");
            directions.push(format!("\"{port}\":\"{direction}\""));
            connections.push(format!("\"{port}\":{}", bits(list)));
        }
        texts.push(format!(
            "\"{name}\":{{\"type\":\"{kind}\",\"port_directions\":{{{}}},\"connections\":{{{}}}}}",
            directions.join(","),
            connections.join(",")
        ));
    }
    let ports: Vec<String> = ports
        .split(' ')
        .map(|p| {
            let (name, net) = p.split_once('=').expect("port=net");
            let direction = if name.starts_with("out") { "output" } else { "input" };
            format!("\"{name}\":{{\"direction\":\"{direction}\",\"bits\":{}}}", bits(net))
        })
        .collect();
    let json = format!(
        "{{\"modules\":{{\"top\":{{\"ports\":{{{}}},\"cells\":{{{}}},\"netnames\":{{}}}}}}}}",
        ports.join(","),
        texts.join(",")
    );
    Levels::of(Design::parse(json.as_bytes())?.module("top")?)
}

const CLOCK: &str = "clk=2 data=3";

#[test]
fn look_up_tables_and_muxes_add_up_between_flip_flops() {
    let cells = [
        "FDRE a Q=10 < C=2 CE=0 D=3 R=0",
        "LUT2 b O=11 < I0=10 I1=0",
        "LUT2 c O=12 < I0=11 I1=10",
        "MUXF7 d O=13 < I0=12 I1=0 S=10",
        "FDRE e Q=14 < C=2 CE=0 D=13 R=0",
    ];
    let found = levels(CLOCK, &cells).unwrap();
    assert_eq!((found.registers, found.ports), (25, 0));
    let nets: Vec<&str> = found.path.iter().map(|(_, n)| n.as_str()).collect();
    assert_eq!(nets, ["net 10", "net 11", "net 12", "net 13", "D of net 14"]);
}

#[test]
fn enables_and_resets_end_paths_like_data() {
    for pin in ["CE=11 D=0 R=0", "CE=0 D=0 R=11"] {
        let end = format!("FDRE c Q=12 < C=2 {pin}");
        let cells = ["FDRE a Q=10 < C=2 CE=0 D=3 R=0", "LUT1 b O=11 < I0=10", &end];
        assert_eq!(levels(CLOCK, &cells).unwrap().registers, 10);
    }
}

#[test]
fn flip_flops_are_not_followed() {
    let cells = [
        "FDRE a Q=10 < C=2 CE=0 D=15 R=0",
        "LUT1 b O=11 < I0=10",
        "FDRE c Q=12 < C=2 CE=0 D=11 R=0",
        "LUT1 d O=15 < I0=12",
    ];
    assert_eq!(levels(CLOCK, &cells).unwrap().registers, 10);
}

#[test]
fn a_carry_chain_costs_one_and_a_tenth_for_each_next() {
    let cells = [
        "FDRE a Q=10 < C=2 CE=0 D=3 R=0",
        "LUT2 b O=11 < I0=10 I1=0",
        "CARRY4 c CO=20,21,22,23 O=24,25,26,27 < CI=0 CYINIT=0 DI=10,0,0,0 S=11,0,0,0",
        "CARRY4 d CO=30,31,32,33 O=34,35,36,37 < CI=23 CYINIT=0 DI=0,0,0,0 S=0,0,0,0",
        "CARRY4 e CO=40,41,42,43 O=44,45,46,47 < CI=33 CYINIT=0 DI=0,0,0,0 S=0,0,0,0",
        "FDRE f Q=50 < C=2 CE=0 D=47 R=0",
    ];
    assert_eq!(levels(CLOCK, &cells).unwrap().registers, 22);
}

#[test]
fn a_carry_does_not_depend_on_the_places_above() {
    let cells = [
        "FDRE a Q=10 < C=2 CE=0 D=3 R=0",
        "CARRY4 c CO=20,21,22,23 O=24,25,26,27 < CI=0 CYINIT=0 DI=0,10,0,0 S=0,0,10,0",
        "FDRE f Q=50 < C=2 CE=0 D=25 R=0",
    ];
    assert!(levels(CLOCK, &cells).unwrap().path.is_empty(), "O[1] depends neither on DI[1] nor on S[2]");
}

#[test]
fn lutram_is_read_without_a_clock_and_through_its_own_port_only() {
    let ram = |ports: &str| {
        levels(
            CLOCK,
            &[
                "FDRE a Q=10 < C=2 CE=0 D=3 R=0",
                "LUT1 b O=11 < I0=10",
                &format!("RAM64M m DOA=20 DOB=21 < WCLK=2 WE=0 DIA=0 DIB=0 {ports}"),
                "FDRE f Q=50 < C=2 CE=0 D=20 R=0",
            ],
        )
        .unwrap()
        .registers
    };
    assert_eq!(ram("ADDRA=11 ADDRB=0"), 20);
    assert_eq!(ram("ADDRA=0 ADDRB=11"), 10, "the stored word, or the address of B as an end");
}

#[test]
fn a_path_from_an_ultra_ram_begins_with_a_level() {
    let from = |kind: &str| {
        let cells = [
            &format!("{kind} m DOUT_A=10 < CLK=2 ADDR_A=3 DIN_A=0")[..],
            "LUT1 b O=11 < I0=10",
            "FDRE f Q=50 < C=2 CE=0 D=11 R=0",
        ];
        levels(CLOCK, &cells).unwrap().registers
    };
    assert_eq!((from("URAM288"), from("RAMB36E2")), (20, 10));
}

#[test]
fn paths_of_ports_are_told_apart() {
    let cells = ["FDRE a Q=10 < C=2 CE=0 D=12 R=0", "LUT1 b O=11 < I0=3", "LUT2 c O=12 < I0=11 I1=10"];
    let found = levels("clk=2 data=3 out=12", &cells).unwrap();
    assert_eq!((found.registers, found.ports), (10, 20));
}

#[test]
fn loops_and_undriven_nets_are_errors() {
    let ring = ["LUT1 a O=10 < I0=11", "LUT1 b O=11 < I0=10", "FDRE c Q=12 < C=2 CE=0 D=10 R=0"];
    assert!(levels(CLOCK, &ring).unwrap_err().to_string().contains("loop"));
    let open = ["LUT1 a O=10 < I0=99", "FDRE c Q=12 < C=2 CE=0 D=10 R=0"];
    assert!(levels(CLOCK, &open).unwrap_err().to_string().contains("nothing drives"));
}
