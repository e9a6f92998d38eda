//! Who may reach the registers of a board, as parameters of its Verilog.
use mneme_host::Identity;

fn hexadecimal<'a>(bytes: impl Iterator<Item = &'a u8>) -> String {
    bytes.map(|byte| format!("{byte:02x}")).collect()
}

/// Each parameter and its value. Addresses have their first byte highest; SipHash takes the key's first byte lowest.
pub fn parameters(identity: &Identity) -> [(&'static str, String); 3] {
    [
        ("BOARD_MAC", format!("48'h{}", hexadecimal(identity.board.iter()))),
        ("HOST_MAC", format!("48'h{}", hexadecimal(identity.host.iter()))),
        ("HOST_KEY", format!("128'h{}", hexadecimal(identity.key.bytes().iter().rev()))),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_have_their_first_byte_highest_and_keys_lowest() {
        let identity = Identity::parse(
            "board = \"02:00:c0:ff:ee:01\"\nhost = \"02:00:00:00:00:09\"\nkey = \"00112233445566778899aabbccddeeff\"\n",
        );
        assert_eq!(
            parameters(&identity.expect("an identity")),
            [
                ("BOARD_MAC", "48'h0200c0ffee01".to_owned()),
                ("HOST_MAC", "48'h020000000009".to_owned()),
                ("HOST_KEY", "128'hffeeddccbbaa99887766554433221100".to_owned()),
            ]
        );
    }
}
